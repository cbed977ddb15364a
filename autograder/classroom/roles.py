"""Who on a roster is a student, by the words of its column of roles.

Words are those that Canvas, Moodle, Blackboard, Brightspace, Sakai, ILIAS, OLAT and Gradescope show by default, in
English, German, French and Spanish.
"""

from __future__ import annotations

import re

from autograder.classroom.roster_table import plain_title

WORD = re.compile(r"\w+")
APART = re.compile(r"[,;|]")
# How words begin. A role with words of both kinds is no student's: "student assistant".
STUDENTS = (
    *("student", "learner", "particip", "member", "pupil"),
    *("studierend", "teilnehm", "mitglied", "kursmitglied", "lernende", "schüler"),
    *("étudiant", "apprenant", "élève", "membre", "inscrit"),
    *("estudiant", "alumn", "aprendi", "miembro"),
)
OTHERS = (
    *("instruct", "teach", "lectur", "prof", "facult", "assist", "tutor", "grader", "marker", "observ", "design"),
    *("admin", "manag", "maintain", "coach", "owner", "guest", "staff", "mentor", "coordinat", "supervis"),
    *("taenroll", "view", "studentview", "test", "demo"),
    *("dozent", "dozier", "lehrende", "lehrer", "lehrkr", "lehrperson", "lehrbeauf", "trainer", "betreu", "besitz"),
    *("hilfskraft", "korrekt", "beobacht", "kursadmin", "kurstutor", "vorschau"),
    *("enseign", "chargé", "tuteur", "tutrice", "concept", "gestionn", "respons", "invit", "correct"),
    *("docent", "asisten", "ayudant", "auxiliar", "diseñ", "gestor", "vista"),
)
EXACTLY = ("ta", "tas", "hiwi", "gast")


def is_student(role: str) -> bool | None:
    """Return whether a person with this role, or these, is a student; None if no word of it is known."""
    each = [_is_student(part) for part in APART.split(plain_title(role))]
    if True in each:
        return True
    return False if False in each else None


def _is_student(role: str) -> bool | None:
    found = WORD.findall(role)
    if any(word.startswith(OTHERS) or word in EXACTLY for word in found):
        return False
    return True if any(word.startswith(STUDENTS) for word in found) else None
