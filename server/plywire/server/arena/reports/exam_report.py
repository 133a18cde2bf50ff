"""An exam as an HTML page that needs nothing else."""

from plywire.clients.exam.marks import ExamResult
from plywire.engine.registry import load

from .rendering import render


def exam_page(result: ExamResult) -> str:
    """Make the page of an exam: marks, games against levels, and the positions that were lost."""
    missed = [
        (answer, load(answer.game).parse(answer.fen))
        for answer in result.answers
        if not answer.is_kept
    ]
    return render("exam", result=result, missed=missed)
