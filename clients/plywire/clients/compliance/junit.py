"""Findings as JUnit XML, which CI systems show."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .examine import CheckResult, Finding


def junit(engine: str, findings: Sequence[Finding]) -> bytes:
    """Return a test suite with a test case for each check; inapplicable checks are skipped."""
    failures = sum(found.verdict is CheckResult.FAILED for found in findings)
    skipped = sum(found.is_skipped for found in findings)
    suite = Element(
        "testsuite",
        name=f"plywire check {engine}",
        tests=str(len(findings)),
        failures=str(failures),
        errors="0",
        skipped=str(skipped),
        time=f"{sum(found.seconds for found in findings):.3f}",
    )
    for found in findings:
        case = SubElement(
            suite,
            "testcase",
            classname=found.game or "engine",
            name=found.check,
            time=f"{found.seconds:.3f}",
        )
        if found.is_skipped:
            SubElement(case, "skipped", message=f"{found.verdict}: {found.said}")
        elif found.verdict is CheckResult.FAILED:
            message = f"expected {found.expected}; {found.said}"
            SubElement(case, "failure", message=message).text = "\n".join(found.last_lines)
        else:
            SubElement(case, "system-out").text = found.said
    indent(suite)
    written: bytes = tostring(suite, encoding="utf-8", xml_declaration=True)
    return written
