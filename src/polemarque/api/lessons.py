"""Notes for beginners: a few sentences that stand beside a question, as a set-up brings them."""

from __future__ import annotations

from polemarque.kernel.beginner_notes import Note, lesson_faults, lesson_of, note_of, preface_of

__all__ = ["Note", "lesson_of", "note_of", "preface_of", "lesson_faults"]
