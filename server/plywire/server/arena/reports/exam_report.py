"""An exam as an HTML page that needs nothing else."""

from plywire.clients.exam.marks import ExamResult
from plywire.engine.registry import load

from .rendering import render


def exam_page(result: ExamResult) -> str:
    """The marks, the games against levels, and each position whose value was lost."""
    missed = [
        (answer, load(answer.game).parse(answer.fen))
        for answer in result.answers
        if not answer.is_kept
    ]
    return render("exam", result=result, missed=missed)
