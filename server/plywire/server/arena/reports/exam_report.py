"""An exam as one self-contained HTML page."""

from plywire.clients.exam.marks import ExamResult
from plywire.engine.registry import load

from .rendering import render


def exam_page(result: ExamResult) -> str:
    """Return an exam's page: marks, games against levels, and the positions with mistakes."""
    missed = [
        (answer, load(answer.game).parse(answer.fen))
        for answer in result.answers
        if not answer.is_kept
    ]
    return render("exam", result=result, missed=missed)
