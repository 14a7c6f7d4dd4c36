"""The addresses of all pages."""

from __future__ import annotations

from allauth.account import views as account
from django.conf import settings
from django.urls import path

from polemarque.web import stream
from polemarque.web.pages.account import account_erasure, errors, health, home, preferences
from polemarque.web.pages.campaign import (
    battle_dates,
    briefing_pack,
    campaign,
    clock,
    decided_by_dice,
    feed,
    guest_battle,
    messages,
    order_forms,
    people,
    proofs,
    public,
    seat,
    standing_orders,
    transfer,
    turn_plan,
)
from polemarque.web.pages.lobby import balance, invitations, lobby, new_campaign
from polemarque.web.pages.reference import consult, rules
from polemarque.web.pages.umpire import act_forms, acts, correcting, dashboard, postal_orders

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
    path("settings/", preferences.settings, name="settings"),
    path("settings/away/", preferences.away, name="away"),
    path("settings/data/", account_erasure.kept, name="kept"),
    path("settings/leave/", account_erasure.leaving, name="leaving"),
    path("calendar/<str:token>.ics", feed.calendar, name="calendar"),
    path("settings/calendar/", feed.calendar_set, name="calendar_set"),
    path("mails/<str:token>/", preferences.stop, name="stop_mails"),
    path("preferences/", preferences.preferences, name="preferences"),
    path("invitation/<str:token>/", invitations.invitation, name="invitation"),
    path("hall/", transfer.guests, name="take_in"),
    path("new/", new_campaign.systems, name="systems"),
    path("new/balance/<slug:key>/", balance.balance, name="balance"),
    path("new/<str:system>/", new_campaign.new, name="new"),
    path("new/<str:system>/<str:scenario>.svg", new_campaign.opening_board, name="opening_board"),
    path("c/<slug:code>/muster/invite/", lobby.invite, name="invite"),
    path("c/<slug:code>/muster/withdraw/", lobby.withdraw, name="withdraw"),
    path("c/<slug:code>/muster/links/", lobby.links, name="links"),
    path("c/<slug:code>/muster/programs/", lobby.programs, name="programs"),
    path("c/<slug:code>/muster/start/", lobby.start, name="start"),
    path("c/<slug:code>/muster/call-off/", lobby.leave_off, name="call_off"),
    path("c/<slug:code>/rematch/", lobby.play_again, name="rematch"),
    path("c/<slug:code>/muster/<str:seat>/program/", lobby.program, name="program"),
    path("c/<slug:code>/muster/<str:seat>/sit/", lobby.sit, name="sit"),
    path("c/<slug:code>/muster/<str:seat>/clear/", lobby.clear, name="clear"),
    path("c/<slug:code>/muster/<str:seat>/word/", lobby.word, name="word"),
    path("account/login/", account.login, name="account_login"),
    path("account/logout/", account.logout, name="account_logout"),
    path("account/password/", account.password_change, name="account_change_password"),
    path("account/password/first/", account.password_set, name="account_set_password"),
    path("account/closed/", account.account_inactive, name="account_inactive"),
    path(
        "account/new-password/<str:uidb36>/<str:key>/", account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "account/new-password/done/", account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("c/<slug:code>/", campaign.campaign, name="campaign"),
    path("c/<slug:code>/people/", people.people, name="people"),
    path("c/<slug:code>/people/<int:number>/password/", people.renew, name="renew"),
    path("c/<slug:code>/people/<int:number>/recall/", people.recall, name="send_home"),
    path("c/<slug:code>/people/<str:seat>/umpire/", people.name_umpire, name="name_umpire"),
    path("c/<slug:code>/people/<str:seat>/program/", people.stand_in, name="stand_in"),
    path("c/<slug:code>/letters/", messages.letters, name="letters"),
    path("c/<slug:code>/letters/write/", messages.write, name="letter_write"),
    path("c/<slug:code>/letters/doors/", messages.doors, name="letter_doors"),
    path("c/<slug:code>/letters/order/", messages.order, name="letter_order"),
    path("c/<slug:code>/letters/among/<str:among>/", messages.exchange, name="exchange"),
    path("c/<slug:code>/letters/<int:number>/show/", messages.show, name="letter_show"),
    path("c/<slug:code>/chronicle/", campaign.chronicle, name="chronicle"),
    path("c/<slug:code>/chronicle/<int:number>/", campaign.chronicle, name="chronicle_turn"),
    path("c/<slug:code>/turn/<int:number>/", campaign.turn, name="turn"),
    path("c/<slug:code>/seat/<str:seat>/", seat.seat_page, name="seat"),
    path("c/<slug:code>/seat/<str:seat>/pack/", briefing_pack.pack, name="pack"),
    path("c/<slug:code>/seat/<str:seat>/answer/", seat.answer, name="answer"),
    path("c/<slug:code>/seat/<str:seat>/orders/", order_forms.orders, name="orders"),
    path("c/<slug:code>/seat/<str:seat>/plan/", turn_plan.plan, name="plan"),
    path("c/<slug:code>/seat/<str:seat>/undo/", seat.undo, name="undo"),
    path("c/<slug:code>/seat/<str:seat>/spare/", seat.spare, name="spare"),
    path("c/<slug:code>/seat/<str:seat>/revoke/", standing_orders.revoke_answer, name="revoke"),
    path("c/<slug:code>/seat/<str:seat>/wish/", standing_orders.leave_wish, name="wish"),
    path("c/<slug:code>/seat/<str:seat>/dice/", seat.dice, name="dice"),
    path("c/<slug:code>/seat/<str:seat>/receipt/<str:digest>/", seat.receipt, name="receipt"),
    path("c/<slug:code>/seat/<str:seat>/act/<int:number>/", acts.answer_proposal, name="consent"),
    path("c/<slug:code>/battles/", battle_dates.battles, name="battles"),
    path("c/<slug:code>/battles/date/", battle_dates.book, name="book"),
    path("c/<slug:code>/battle/<str:path>/", guest_battle.battle, name="guest"),
    path("c/<slug:code>/battle/<str:path>/answer/", guest_battle.answer, name="guest_answer"),
    path("c/<slug:code>/battle/<str:path>/dice/", guest_battle.dice, name="guest_dice"),
    path(
        "c/<slug:code>/battle/<str:path>/receipt/<str:digest>/", guest_battle.receipt,
        name="guest_receipt",
    ),
    path("c/<slug:code>/desk/", dashboard.desk, name="desk"),
    path("c/<slug:code>/desk/remind/<str:seat>/", dashboard.remind_seat, name="desk_remind"),
    path("c/<slug:code>/desk/absent/", dashboard.absent, name="desk_absent"),
    path("c/<slug:code>/desk/pace/", dashboard.pace, name="desk_pace"),
    path("c/<slug:code>/desk/hall/", transfer.hall, name="desk_hall"),
    path("c/<slug:code>/desk/hall/file/", transfer.hall_file, name="hall_file"),
    path("c/<slug:code>/desk/answer/", dashboard.answer, name="desk_answer"),
    path("c/<slug:code>/desk/dice/", dashboard.dice, name="desk_dice"),
    path("c/<slug:code>/desk/orders/<str:seat>/", postal_orders.posted, name="desk_orders"),
    path("c/<slug:code>/desk/papers/", dashboard.dossier, name="desk_papers"),
    path("c/<slug:code>/desk/adjust/", act_forms.adjust, name="adjust"),
    path("c/<slug:code>/desk/end/", act_forms.end, name="end"),
    path("c/<slug:code>/desk/edition/", act_forms.adopt, name="adopt"),
    path("c/<slug:code>/desk/answers/", correcting.corrections, name="corrections"),
    path("c/<slug:code>/desk/correct/", correcting.correct, name="correct"),
    path("c/<slug:code>/desk/result/", correcting.result, name="result"),
    path("c/<slug:code>/desk/act/<int:number>/", acts.act, name="act"),
    path("c/<slug:code>/feed/", feed.feed, name="feed"),
    path("c/<slug:code>/public/", public.public, name="public"),
    path("c/<slug:code>/public/<int:number>/", public.public, name="public_turn"),
    path("c/<slug:code>/clock/", clock.clock, name="clock"),
    path("c/<slug:code>/clock/set/", clock.clock_set, name="clock_set"),
    path("c/<slug:code>/clock/announce/", clock.announce, name="announce"),
    path("c/<slug:code>/clock/pause/", clock.pause, name="pause"),
    path("c/<slug:code>/clock/<str:seat>/vote/", clock.vote_for, name="vote"),
    path("c/<slug:code>/trust/", proofs.trust, name="trust"),
    path("c/<slug:code>/trust/odds/", decided_by_dice.odds, name="odds"),
    path("c/<slug:code>/export/<str:kind>/", proofs.export, name="export"),
    path("verify/", proofs.verify, name="verify"),
    path("health/", health.health, name="health"),
    path("consult/", consult.consult, name="consult"),
    path("consult/<str:rule>/", consult.consult_rule, name="consult_rule"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<str:system>/", rules.rulebook, name="rulebook"),
    path("rules/<str:system>/paper/<str:kind>/", rules.paper_page, name="paper"),
    path("rules/<str:system>/<str:rule>/", rules.rule, name="rule"),
    path("events/<slug:code>/", stream.events, name="events"),
    *(WITH_MAIL if settings.MAIL else []),
]  # fmt: skip

handler400 = errors.unreadable
handler403 = errors.refused
handler404 = errors.missing
handler429 = errors.too_often  # allauth's
handler500 = errors.broken
