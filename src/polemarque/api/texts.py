"""The texts that readers are told, in every language, and words put together for them."""

from __future__ import annotations

from polemarque.kernel.files.sentence_templates import attach, curved, signed
from polemarque.kernel.files.texts import LANGUAGES, Catalogue, texts_in

__all__ = ["LANGUAGES", "Catalogue", "attach", "curved", "signed", "texts_in"]
