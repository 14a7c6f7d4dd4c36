"""Every rule of the campaign that can be asked alone, in the ledger's order."""

from __future__ import annotations

from polemarque.systems.mare_nostrum.questions.consult_frame import FRAME_QUESTIONS
from polemarque.systems.mare_nostrum.questions.consult_war import WAR_QUESTIONS

QUESTIONS = (*WAR_QUESTIONS, *FRAME_QUESTIONS)
