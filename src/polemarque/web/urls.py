"""The addresses of all pages."""

from __future__ import annotations

from allauth.account import views as account
from django.conf import settings
from django.urls import path

from polemarque.web import stream
from polemarque.web.pages import (
    acts,
    adjusting,
    ahead,
    battles,
    consult,
    correcting,
    desk,
    faults,
    guest,
    health,
    home,
    invitation,
    leaving,
    making,
    muster,
    odds,
    orders,
    pack,
    people,
    posted,
    rules,
    seat,
    table,
    trust,
)

WITH_MAIL = [
    path("account/forgotten/", account.password_reset, name="account_reset_password"),
    path(
        "account/forgotten/sent/", account.password_reset_done, name="account_reset_password_done"
    ),
    path("account/mail/", account.email, name="account_email"),
    path("account/mail/confirm/<str:key>/", account.confirm_email, name="account_confirm_email"),
]  # fmt: skip
"""The addresses of a club that can send mail."""

urlpatterns = [
    path("", home.home, name="home"),
    path("favicon.ico", home.icon, name="icon"),
    path("settings/", home.settings, name="settings"),
    path("settings/away/", home.away, name="away"),
    path("settings/data/", leaving.kept, name="kept"),
    path("settings/leave/", leaving.leaving, name="leaving"),
    path("preferences/", home.preferences, name="preferences"),
    path("invitation/<str:token>/", invitation.invitation, name="invitation"),
    path("new/", making.systems, name="systems"),
    path("new/<str:system>/", making.new, name="new"),
    path("c/<slug:code>/muster/invite/", muster.invite, name="invite"),
    path("c/<slug:code>/muster/withdraw/", muster.withdraw, name="withdraw"),
    path("c/<slug:code>/muster/links/", muster.links, name="links"),
    path("c/<slug:code>/muster/programs/", muster.programs, name="programs"),
    path("c/<slug:code>/muster/start/", muster.start, name="start"),
    path("c/<slug:code>/muster/call-off/", muster.leave_off, name="call_off"),
    path("c/<slug:code>/muster/<str:seat>/program/", muster.program, name="program"),
    path("c/<slug:code>/muster/<str:seat>/sit/", muster.sit, name="sit"),
    path("c/<slug:code>/muster/<str:seat>/clear/", muster.clear, name="clear"),
    path("c/<slug:code>/muster/<str:seat>/word/", muster.word, name="word"),
    path("account/login/", account.login, name="account_login"),
    path("account/logout/", account.logout, name="account_logout"),
    path("account/password/", account.password_change, name="account_change_password"),
    path("account/closed/", account.account_inactive, name="account_inactive"),
    path(
        "account/new-password/<str:uidb36>/<str:key>/", account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "account/new-password/done/", account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("c/<slug:code>/", table.campaign, name="campaign"),
    path("c/<slug:code>/people/", people.people, name="people"),
    path("c/<slug:code>/people/<int:number>/password/", people.renew, name="renew"),
    path("c/<slug:code>/people/<int:number>/recall/", people.recall, name="send_home"),
    path("c/<slug:code>/people/<str:seat>/umpire/", people.name_umpire, name="name_umpire"),
    path("c/<slug:code>/people/<str:seat>/program/", people.stand_in, name="stand_in"),
    path("c/<slug:code>/chronicle/", table.chronicle, name="chronicle"),
    path("c/<slug:code>/turn/<int:number>/", table.turn, name="turn"),
    path("c/<slug:code>/seat/<str:seat>/", seat.seat_page, name="seat"),
    path("c/<slug:code>/seat/<str:seat>/pack/", pack.pack, name="pack"),
    path("c/<slug:code>/seat/<str:seat>/answer/", seat.answer, name="answer"),
    path("c/<slug:code>/seat/<str:seat>/orders/", orders.orders, name="orders"),
    path("c/<slug:code>/seat/<str:seat>/undo/", seat.undo, name="undo"),
    path("c/<slug:code>/seat/<str:seat>/revoke/", ahead.revoke_answer, name="revoke"),
    path("c/<slug:code>/seat/<str:seat>/dice/", seat.dice, name="dice"),
    path("c/<slug:code>/seat/<str:seat>/receipt/<str:digest>/", seat.receipt, name="receipt"),
    path("c/<slug:code>/seat/<str:seat>/act/<int:number>/", acts.answer_proposal, name="consent"),
    path("c/<slug:code>/battles/", battles.battles, name="battles"),
    path("c/<slug:code>/battles/date/", battles.book, name="book"),
    path("c/<slug:code>/battle/<str:path>/", guest.battle, name="guest"),
    path("c/<slug:code>/battle/<str:path>/answer/", guest.answer, name="guest_answer"),
    path("c/<slug:code>/battle/<str:path>/dice/", guest.dice, name="guest_dice"),
    path(
        "c/<slug:code>/battle/<str:path>/receipt/<str:digest>/", guest.receipt,
        name="guest_receipt",
    ),
    path("c/<slug:code>/desk/", desk.desk, name="desk"),
    path("c/<slug:code>/desk/remind/<str:seat>/", desk.remind_seat, name="desk_remind"),
    path("c/<slug:code>/desk/absent/", desk.absent, name="desk_absent"),
    path("c/<slug:code>/desk/pace/", desk.pace, name="desk_pace"),
    path("c/<slug:code>/desk/answer/", desk.answer, name="desk_answer"),
    path("c/<slug:code>/desk/dice/", desk.dice, name="desk_dice"),
    path("c/<slug:code>/desk/orders/<str:seat>/", posted.posted, name="desk_orders"),
    path("c/<slug:code>/desk/papers/", desk.dossier, name="desk_papers"),
    path("c/<slug:code>/desk/adjust/", adjusting.adjust, name="adjust"),
    path("c/<slug:code>/desk/end/", adjusting.end, name="end"),
    path("c/<slug:code>/desk/edition/", adjusting.adopt, name="adopt"),
    path("c/<slug:code>/desk/answers/", correcting.corrections, name="corrections"),
    path("c/<slug:code>/desk/correct/", correcting.correct, name="correct"),
    path("c/<slug:code>/desk/result/", correcting.result, name="result"),
    path("c/<slug:code>/desk/act/<int:number>/", acts.act, name="act"),
    path("c/<slug:code>/trust/", trust.trust, name="trust"),
    path("c/<slug:code>/trust/odds/", odds.odds, name="odds"),
    path("c/<slug:code>/export/<str:kind>/", trust.export, name="export"),
    path("verify/", trust.verify, name="verify"),
    path("health/", health.health, name="health"),
    path("consult/", consult.consult, name="consult"),
    path("consult/<str:rule>/", consult.consult_rule, name="consult_rule"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<str:system>/", rules.rulebook, name="rulebook"),
    path("rules/<str:system>/<str:rule>/", rules.rule, name="rule"),
    path("events/<slug:code>/", stream.events, name="events"),
    *(WITH_MAIL if settings.MAIL else []),
]  # fmt: skip

handler400 = faults.unreadable
handler403 = faults.not_for_you
handler404 = faults.missing
handler500 = faults.broken
