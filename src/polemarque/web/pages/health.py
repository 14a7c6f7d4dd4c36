"""Whether the server answers and can read its file, for whoever watches over it."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse

from polemarque.web.access import anyone, page


@page(anyone)
def health(request: HttpRequest) -> HttpResponse:
    """200 where the database answers, 503 where it does not; nothing of what it holds."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM club_campaign LIMIT 1")
    except DatabaseError:
        return JsonResponse({"sound": False}, status=503)
    return JsonResponse({"sound": True})
