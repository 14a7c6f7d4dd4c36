"""Dates and times in English: 22 November 2026, 14:05.  Read by Django."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j F Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j F Y, H:i"
TIME_FORMAT = "H:i"
