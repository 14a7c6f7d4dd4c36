"""Time: deadlines, absences, dates of battles on the table, response times, mails to be sent."""
