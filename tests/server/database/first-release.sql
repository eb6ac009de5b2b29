-- Rows of an installation of the first release, made by its code (the commit that added the migration
-- 0000_first-release): `npm start` on an empty PostgreSQL with APP_SECRET='a secret of the tests, thirty-two or more',
-- which loaded the demo. A guest then bought tickets for two, and the demo customer signed in and bought one, over the
-- API. What is not needed was left out: sailings without orders, most fares, files of the release, webhooks that were
-- handled, and the older orders, mails and objects of the card provider's stand-in.
-- Inserted without triggers and foreign-key checks, because it is a part of a larger database.
create schema sandbox;
create table sandbox.objects (
  id text primary key,
  seq bigint generated always as identity,
  object text not null,
  version integer not null default 1,
  doc jsonb not null,
  secret jsonb not null,
  wake_ms double precision
);
insert into auto_top_ups (trip_card_id, customer_id, threshold, amount, payment_card_id, max_per_day, state, failures, inserted_at, updated_at) values
('tcd_22x5rkgt1g8149q5y1x2620j14', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '1500', '2500', 'pcd_5dgf1z3xd2ev518bpr4qafd88j', '1', 'ok', '0', '2026-10-29 19:00:00+00', '2026-11-12 02:00:00+00');
insert into card_holders (customer_id, provider_reference, mirrored_method, inserted_at) values
('cus_2ns9sjyv6s12am2tzw6nrpmx05', 'cus_rzXldDYMdMuOLrHeWJGQfWwf', 'pm_ISE81RUMh23qw5lH782Z0jRz', '2026-09-30 13:06:00+00');
insert into customers (id, email, name, phone, pending_email, mfa_required, beta_tester, is_demo, password_hash, password_failures, email_verified_at, second_step_misses, inserted_at, updated_at) values
('cus_2ns9sjyv6s12am2tzw6nrpmx05', 'demo@harborline.example', 'Robin Castellanos', '+12065550123', '', 'false', 'false', 'true', '$argon2id$v=19$m=19456,t=2,p=1$N0O9Iq/EP81FGIxOZMiY5Q$6v+ktD5iZi6XrwootBwRVi0Y6RIC9ys0bcOh0TWwuCo', '0', '2026-09-25 02:00:00+00', '0', '2026-09-25 02:00:00+00', '2026-09-25 02:00:00+00');
insert into fare_classes (id, code, name, summary, policy, sort, active) values
('fcl_5r8p8tncbhngenr36e2d619xt1', 'flex', 'Flexible', 'Free changes. Full refund up to 2 hours before departure.', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '1', 'true'),
('fcl_7c6v3ner81hgsqdnn8q63xdmbj', 'saver', 'Saver', 'Lowest price. 50% refund up to 24 hours before departure.', '{"cancel": [{"fee": 0, "refund_bp": 5000, "until_minutes_before": 1440}], "change": {"fee": 1000, "allowed": true, "until_minutes": 1440}, "no_show": "forfeit"}', '0', 'true');
insert into fares (id, route_id, fare_class_id, kind, passenger_type_id, weekdays, amount, tax_bp, priority) values
('far_0065t01x4e1ptzx3myzqprf740', 'rte_64vp312trhn6a62p6r2cnr7k6j', 'fcl_7c6v3ner81hgsqdnn8q63xdmbj', 'passenger', 'pty_163r45mjkjw13dzej181yqrfy6', '127', '3900', '0', '0'),
('far_014xbvjret3gbf1h32rvtmg286', 'rte_06x5rzrx6z145sb170jskpnj4y', 'fcl_7c6v3ner81hgsqdnn8q63xdmbj', 'passenger', 'pty_3xq1z0xp1p8pf2dm1sym9s7sc1', '127', '0', '0', '0'),
('far_0230aynt9w0tpxwvybj6529923', 'rte_06x5rzrx6z145sb170jskpnj4y', 'fcl_7c6v3ner81hgsqdnn8q63xdmbj', 'passenger', 'pty_78kch7p82aevgq01c9s42g73c4', '127', '335', '0', '0');
insert into feed (name, digest, currency, time_zone, max_party, window_until, window_days, revision, imported_at, settings) values
('timetable', 'f5db0d48d4f54466b7ea62f854b8e297d4f8f71fc415291d9a85e9f0e943b240', 'USD', 'America/Los_Angeles', '9', '2027-02-21', '90', '255ee37c-2236-4c85-bdc8-d7400c5b98f1', '2026-11-23 20:38:33.001+00', '{"brand": {"name": "Harbor Line", "accent": "#f2640c", "tagline": "Ferries across the sound, all year round.", "logo_url": null}, "terms": {"text": ["Your ticket is valid for the sailing, the passengers and the vehicle it names.", "Be at the terminal before check-in closes. After that your place may be given to somebody else.", "Sailings depend on weather and tide. If we cancel one, you choose between another sailing and your money back.", "What you can change or get back is shown before you pay and stays with your order.", "Children travel with an adult. Animals and dangerous goods only as our crew allows."], "version": "2026-01", "acceptance": "pay_button"}, "units": "imperial", "top_up": {"max": 50000, "min": 500, "presets": [2000, 5000, 10000]}, "contact": {"url": "https://harborline.example/", "email": "help@harborline.example", "phone": "+1 206 555 0142", "booth_hours": "Every day, from 45 minutes before the first sailing until the last one has left."}, "language": "en-US", "analytics": {"recorder_site_id": null, "portal_container_id": null, "tickets_container_id": null}}');
insert into gate_charges (device_id, device_seq, number, amount, place, occurred_at, trip_card_id, inserted_at) values
('demo-gate', '497608', '9920988710953633', '925', 'Port Madrona', '2026-10-07 16:00:00+00', 'tcd_22x5rkgt1g8149q5y1x2620j14', '2026-10-07 16:00:00+00'),
('demo-gate', '497784', '9920988710953633', '925', 'Heron Island', '2026-10-15 00:00:00+00', 'tcd_22x5rkgt1g8149q5y1x2620j14', '2026-10-15 00:00:00+00'),
('demo-gate', '498280', '9920988710953633', '925', 'Port Madrona', '2026-11-04 16:00:00+00', 'tcd_22x5rkgt1g8149q5y1x2620j14', '2026-11-04 16:00:00+00'),
('demo-gate', '498458', '9920988710953633', '925', 'Heron Island', '2026-11-12 02:00:00+00', 'tcd_22x5rkgt1g8149q5y1x2620j14', '2026-11-12 02:00:00+00');
insert into hold_items (hold_id, sailing_id, resource, amount) values
('hld_07ccqjmct4dpxmk5xg09047c25', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'passenger', '1'),
('hld_07ccqjmct4dpxmk5xg09047c25', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'bicycle', '1'),
('hld_1g48xkj560bj5wyyfk0ex94wnv', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'passenger', '4'),
('hld_1sskv720jq8ra878bv1ytp9pce', 'slg_0yb01gybcrc1va4c2g128n5354', 'passenger', '1'),
('hld_2ahm8e3xm09n8aky8jyhabn6hg', 'slg_7kzscag0eybm7tvq35es4w415k', 'passenger', '2'),
('hld_2v1j615d7h6m2bme1m49563a9k', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'passenger', '2'),
('hld_6mgr1mj392a0g6d1p5f91n9pmq', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'passenger', '1'),
('hld_7x104zjv6d67vw158gx601a64r', 'slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'passenger', '1'),
('hld_7y1xkazcbkgg1xqjqhd2rrxsen', 'slg_630w8wmcmxym5z0s144j383krf', 'passenger', '2');
insert into holds (id, status, request, total, price_fingerprint, expires_at, expires_at_max, extended, inserted_at) values
('hld_07ccqjmct4dpxmk5xg09047c25', 'consumed', '{"legs": [{"sailing_id": "slg_501g2eqafgwm2yj8w7b4q46z27"}], "vehicle": null, "bicycles": 1, "fare_class": "flex", "passengers": [{"type": "adult", "count": 1}], "promo_code": null}', '1250', 'sMA2sYZ0K1JzaGb31PmjkM', '2026-11-17 15:10:00+00', '2026-11-17 15:20:00+00', 'false', '2026-11-17 15:00:00+00'),
('hld_1g48xkj560bj5wyyfk0ex94wnv', 'consumed', '{"legs": [{"sailing_id": "slg_12vzbfqxvwhp7srvhr4q6zrk9j"}], "vehicle": null, "bicycles": 0, "fare_class": "flex", "passengers": [{"type": "adult", "count": 2}, {"type": "child", "count": 2}], "promo_code": null}', '3450', 'hXEe4zeZXOlBYQ5mHFeTV6', '2026-11-17 14:46:00+00', '2026-11-17 14:56:00+00', 'false', '2026-11-17 14:36:00+00'),
('hld_1sskv720jq8ra878bv1ytp9pce', 'consumed', '{"legs": [{"sailing_id": "slg_0yb01gybcrc1va4c2g128n5354"}], "vehicle": null, "bicycles": 0, "fare_class": "flex", "passengers": [{"type": "adult", "count": 1}], "promo_code": null}', '1150', 'xhXrlra3i0KDJIxygYPFIR', '2026-11-23 20:48:35.518+00', '2026-11-23 20:58:35.518+00', 'false', '2026-11-23 20:38:35.518+00'),
('hld_2ahm8e3xm09n8aky8jyhabn6hg', 'consumed', '{"legs": [{"sailing_id": "slg_7kzscag0eybm7tvq35es4w415k"}], "vehicle": null, "bicycles": 0, "fare_class": "flex", "passengers": [{"type": "adult", "count": 2}], "promo_code": null}', '2300', 'xR1v05SntiLhcL8onA08Ee', '2026-11-23 20:48:35.378+00', '2026-11-23 20:58:35.378+00', 'false', '2026-11-23 20:38:35.378+00'),
('hld_2v1j615d7h6m2bme1m49563a9k', 'consumed', '{"legs": [{"sailing_id": "slg_5vp71azvff24cmjmmcye6mdqkg"}], "vehicle": null, "bicycles": 0, "fare_class": "flex", "passengers": [{"type": "adult", "count": 2}], "promo_code": null}', '2300', '3dUoTyawQr7KT7JxpZr8oZ', '2026-11-23 20:48:36.734+00', '2026-11-23 20:58:36.734+00', 'false', '2026-11-23 20:38:36.734+00'),
('hld_6mgr1mj392a0g6d1p5f91n9pmq', 'consumed', '{"legs": [{"sailing_id": "slg_5vp71azvff24cmjmmcye6mdqkg"}], "vehicle": null, "bicycles": 0, "fare_class": "flex", "passengers": [{"type": "adult", "count": 1}], "promo_code": null}', '1150', 'ugtFJ0IKc98Sjx1dKdqe4i', '2026-11-23 20:48:36.914+00', '2026-11-23 20:58:36.914+00', 'false', '2026-11-23 20:38:36.914+00'),
('hld_7x104zjv6d67vw158gx601a64r', 'consumed', '{"legs": [{"sailing_id": "slg_1sx1jv5vdfm6raxtnfg4ks7b6r"}], "vehicle": null, "bicycles": 0, "fare_class": "flex", "passengers": [{"type": "adult", "count": 1}], "promo_code": null}', '850', 'JCD36aePiCUYVTQpcohpX4', '2026-11-18 14:40:00+00', '2026-11-18 14:50:00+00', 'false', '2026-11-18 14:30:00+00'),
('hld_7y1xkazcbkgg1xqjqhd2rrxsen', 'consumed', '{"legs": [{"sailing_id": "slg_630w8wmcmxym5z0s144j383krf"}], "vehicle": null, "bicycles": 0, "fare_class": "flex", "passengers": [{"type": "adult", "count": 2}], "promo_code": null}', '10400', 'lZ-gTimySWCSSb-0hYEAae', '2026-11-17 14:22:00+00', '2026-11-17 14:32:00+00', 'false', '2026-11-17 14:12:00+00');
insert into line_capacity (line_id, sailing_id, resource, amount) values
('oln_04q2tthmpkm73h9b7995nbf6s8', 'slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'passenger', '1'),
('oln_1hatb39qbqvpydhqb3hyevv6x0', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'passenger', '1'),
('oln_1ta4e62jv3b4h6nw6f9q8j4s8v', 'slg_630w8wmcmxym5z0s144j383krf', 'passenger', '2'),
('oln_3bzfrrn49b3shwjgx09ay08c97', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'passenger', '2'),
('oln_3pqytfprnk2ywprc4d2zmtmz04', 'slg_7kzscag0eybm7tvq35es4w415k', 'passenger', '2'),
('oln_424k49cevabvj758tywp34qhf4', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'passenger', '1'),
('oln_46xea9a7rwp9sy8m0xj8966sxf', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'bicycle', '1'),
('oln_5e8wnam3cvcp9g9cvt642bn78g', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'passenger', '2'),
('oln_5kwxmv7z4t9s3rwswjj6h1awcz', 'slg_0yb01gybcrc1va4c2g128n5354', 'passenger', '1'),
('oln_6w9y42p6tf3dn91ansxqvw69qr', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'passenger', '2');
insert into mails (id, kind, to_address, subject, text, html, order_id, status, attempts, try_at, inserted_at, sent_at) values
('mal_5c52hmsdj28tknna09ac9v9nq2', 'order-confirmed', 'guest@example.com', 'Your ferry tickets · V9FG-NE6P', 'Your ferry tickets

Hello Ada Lovelace, here are your tickets. Show the codes below at the gate, on your phone or printed. They also work without a connection.

Reference: V9FG-NE6P

Open your order:
http://tickets.ferry.localhost:11888/orders/ord_19s8pwanb8t6m92zx7cmgc8kbv/confirmation

Port Madrona → Heron Island
===========================

Date: Mon, November 30, 2026
Departs: 5:40 AM PST, Port Madrona, 1 Ferry Dock Road, Port Madrona, WA
Check in by: 5:30 AM PST
Arrives: 6:15 AM PST, Heron Island
Boat: MV Tidewater

Map of the terminal in Port Madrona:
https://www.openstreetmap.org/?mlat=47.9512&mlon=-122.4208#map=16/47.9512/-122.4208

Augusta Quackenbush (Adult)
Boarding code 24VZ NTWC

Adult (2 of 2)
Boarding code SA9N SMKF

What you paid
=============

2 × Adult: $23.00
Total: $23.00

Paid by Visa ending in 4242.

Changing and canceling
======================

- Full refund until Mon, Nov 30, 3:40 AM PST.
- 50% refund until Mon, Nov 30, 5:10 AM PST.
- No refund after that.
- Free change until Mon, Nov 30, 4:40 AM PST.
- If you miss the boat, take any later one that day, if there is room.

-- 
Harbor Line · +1 206 555 0142 · help@harborline.example
Say your reference V9FG-NE6P when you call. This email was sent automatically.
', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Your ferry tickets</title>
<style>@media (prefers-color-scheme:dark){
.page{background:#0c151b!important;color:#e9eff3!important}
.card{background:#16232c!important}
.quiet{color:#a9b8c2!important}
.line{border-color:#2f404c!important}
.link{color:#8fd0ea!important}
.code{background:#22323d!important}
.alert{background:#3b1c1f!important;color:#ffd9d6!important}
}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#edf1f4;color:#10222e;font:16px/1.5 system-ui,-apple-system,''Segoe UI'',Roboto,Helvetica,Arial,sans-serif">
<div class="card" style="max-width:600px;margin:0 auto;background:#ffffff;border-radius:14px;overflow:hidden">
<div style="height:8px;background:#f2640c"></div>
<div style="padding:26px 24px 30px">
<p style="margin:0 0 20px;font-weight:700;font-size:15px">Harbor Line</p>
<h1 style="margin:0 0 14px;font-size:28px;line-height:1.2">Your ferry tickets</h1>
<p style="margin:0 0 16px">Hello Ada Lovelace, here are your tickets. Show the codes below at the gate, on your phone or printed. They also work without a connection.</p>
<div style="margin:0 0 16px"><p style="margin:0 0 8px"><span class="quiet" style="display:block;color:#51626e;font-size:13px;line-height:1.3">Reference</span><strong style="font-size:17px">V9FG-NE6P</strong></p></div>
<p style="margin:6px 0 22px"><a href="http://tickets.ferry.localhost:11888/orders/ord_19s8pwanb8t6m92zx7cmgc8kbv/confirmation" style="display:inline-block;padding:13px 22px;border-radius:10px;background:#f2640c;color:#000000;font-weight:700;text-decoration:none">Open your order</a></p>
<h2 class="line" style="margin:28px 0 12px;padding-top:22px;border-top:1px solid #d8e0e6;font-size:20px;line-height:1.3">Port Madrona → Heron Island</h2>
<div style="margin:0 0 16px"><p style="margin:0 0 8px"><span class="quiet" style="display:block;color:#51626e;font-size:13px;line-height:1.3">Date</span><strong style="font-size:17px">Mon, November 30, 2026</strong></p><p style="margin:0 0 8px"><span class="quiet" style="display:block;color:#51626e;font-size:13px;line-height:1.3">Departs</span><strong style="font-size:17px">5:40 AM PST, Port Madrona, 1 Ferry Dock Road, Port Madrona, WA</strong></p><p style="margin:0 0 8px"><span class="quiet" style="display:block;color:#51626e;font-size:13px;line-height:1.3">Check in by</span><strong style="font-size:17px">5:30 AM PST</strong></p><p style="margin:0 0 8px"><span class="quiet" style="display:block;color:#51626e;font-size:13px;line-height:1.3">Arrives</span><strong style="font-size:17px">6:15 AM PST, Heron Island</strong></p><p style="margin:0 0 8px"><span class="quiet" style="display:block;color:#51626e;font-size:13px;line-height:1.3">Boat</span><strong style="font-size:17px">MV Tidewater</strong></p></div>
<p style="margin:0 0 16px"><a class="link" href="https://www.openstreetmap.org/?mlat=47.9512&amp;mlon=-122.4208#map=16/47.9512/-122.4208" style="color:#0b5c7a">Map of the terminal in Port Madrona</a></p>
<div class="line" style="display:inline-block;box-sizing:border-box;width:100%;max-width:262px;margin:0 8px 14px 0;padding:14px;border:1px solid #d8e0e6;border-radius:12px;vertical-align:top;text-align:center">
<p dir="auto" style="margin:0;font-weight:700;overflow-wrap:anywhere">Augusta Quackenbush</p>
<p class="quiet" style="margin:0 0 10px;color:#51626e;font-size:13px">Adult</p>
<img src="cid:code-out-1" width="216" height="216" alt="Ticket code for Augusta Quackenbush" style="display:block;margin:0 auto;width:216px;height:216px;background:#ffffff;border-radius:8px">
<p class="quiet" style="margin:10px 0 0;color:#51626e;font-size:12px;letter-spacing:.06em">BOARDING CODE</p>
<p style="margin:0;font-size:24px;font-weight:700;letter-spacing:.04em">24VZ NTWC</p>
</div>
<div class="line" style="display:inline-block;box-sizing:border-box;width:100%;max-width:262px;margin:0 8px 14px 0;padding:14px;border:1px solid #d8e0e6;border-radius:12px;vertical-align:top;text-align:center">
<p dir="auto" style="margin:0;font-weight:700;overflow-wrap:anywhere">Adult</p>
<p class="quiet" style="margin:0 0 10px;color:#51626e;font-size:13px">2 of 2</p>
<img src="cid:code-out-2" width="216" height="216" alt="Ticket code for Adult" style="display:block;margin:0 auto;width:216px;height:216px;background:#ffffff;border-radius:8px">
<p class="quiet" style="margin:10px 0 0;color:#51626e;font-size:12px;letter-spacing:.06em">BOARDING CODE</p>
<p style="margin:0;font-size:24px;font-weight:700;letter-spacing:.04em">SA9N SMKF</p>
</div>
<h2 class="line" style="margin:28px 0 12px;padding-top:22px;border-top:1px solid #d8e0e6;font-size:20px;line-height:1.3">What you paid</h2>
<div style="margin:0 0 16px"><p class="line" style="margin:0;padding:8px 0;border-bottom:1px solid #d8e0e6;overflow:hidden;"><span style="float:right;padding-left:16px">$23.00</span>2 × Adult</p><p class="line" style="margin:0;padding:8px 0;border-bottom:1px solid #d8e0e6;overflow:hidden;font-weight:700;font-size:18px"><span style="float:right;padding-left:16px">$23.00</span>Total</p></div>
<p style="margin:0 0 16px">Paid by Visa ending in 4242.</p>
<h2 class="line" style="margin:28px 0 12px;padding-top:22px;border-top:1px solid #d8e0e6;font-size:20px;line-height:1.3">Changing and canceling</h2>
<ul class="quiet" style="margin:0 0 16px;padding-left:20px;color:#51626e;font-size:14px"><li style="margin:0 0 4px">Full refund until Mon, Nov 30, 3:40 AM PST.</li><li style="margin:0 0 4px">50% refund until Mon, Nov 30, 5:10 AM PST.</li><li style="margin:0 0 4px">No refund after that.</li><li style="margin:0 0 4px">Free change until Mon, Nov 30, 4:40 AM PST.</li><li style="margin:0 0 4px">If you miss the boat, take any later one that day, if there is room.</li></ul>
</div>
</div>
<div class="quiet" style="max-width:552px;margin:18px auto 0;color:#51626e;font-size:13px"><p style="margin:0 0 6px">Harbor Line · +1 206 555 0142 · help@harborline.example</p><p style="margin:0 0 6px">Say your reference V9FG-NE6P when you call. This email was sent automatically.</p></div>
</body>
</html>
', 'ord_19s8pwanb8t6m92zx7cmgc8kbv', 'sent', '1', '2026-11-23 20:43:40.991+00', '2026-11-23 20:38:36.852+00', '2026-11-23 20:38:41.404+00'),
('mal_7zv9z2xdnm5rpsvv5z1s3ncpeh', 'security-event', 'demo@harborline.example', NULL, NULL, NULL, NULL, 'sent', '1', '2026-11-23 20:43:36.916+00', '2026-11-23 20:38:36.635+00', '2026-11-23 20:38:37.202+00');
insert into order_lines (id, order_id, position, leg, sailing_id, kind, type_code, description, quantity, unit_amount, amount, tax_bp, tax, status) values
('oln_04q2tthmpkm73h9b7995nbf6s8', 'ord_3j86zqnamfqn5pr1s2p1g882ap', '0', 'out', 'slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'passenger', 'adult', 'Adult', '1', '850', '850', '0', '0', 'active'),
('oln_1hatb39qbqvpydhqb3hyevv6x0', 'ord_7j73w41qkm1kmz81k26mbhr41k', '0', 'out', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'passenger', 'adult', 'Adult', '1', '1150', '1150', '0', '0', 'active'),
('oln_1ta4e62jv3b4h6nw6f9q8j4s8v', 'ord_2xyzx8hd6w7awp34ztb3kj35mw', '0', 'out', 'slg_630w8wmcmxym5z0s144j383krf', 'passenger', 'adult', 'Adult', '2', '5200', '10400', '0', '0', 'canceled'),
('oln_3bzfrrn49b3shwjgx09ay08c97', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', '1', 'out', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'passenger', 'child', 'Child', '2', '575', '1150', '0', '0', 'active'),
('oln_3pqytfprnk2ywprc4d2zmtmz04', 'ord_622snw79n5ymgxv5h7k0t0caab', '0', 'out', 'slg_7kzscag0eybm7tvq35es4w415k', 'passenger', 'adult', 'Adult', '2', '1150', '2300', '0', '0', 'active'),
('oln_424k49cevabvj758tywp34qhf4', 'ord_7y1039ef8gabzrrbk8s8d1d716', '0', 'out', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'passenger', 'adult', 'Adult', '1', '1150', '1150', '0', '0', 'active'),
('oln_46xea9a7rwp9sy8m0xj8966sxf', 'ord_7y1039ef8gabzrrbk8s8d1d716', '1', 'out', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'bicycle', NULL, 'Bicycle', '1', '100', '100', '0', '0', 'active'),
('oln_5e8wnam3cvcp9g9cvt642bn78g', 'ord_19s8pwanb8t6m92zx7cmgc8kbv', '0', 'out', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'passenger', 'adult', 'Adult', '2', '1150', '2300', '0', '0', 'active'),
('oln_5kwxmv7z4t9s3rwswjj6h1awcz', 'ord_6a0b30a3c66rn9skdfe3w582ej', '0', 'out', 'slg_0yb01gybcrc1va4c2g128n5354', 'passenger', 'adult', 'Adult', '1', '1150', '1150', '0', '0', 'active'),
('oln_6w9y42p6tf3dn91ansxqvw69qr', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', '0', 'out', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'passenger', 'adult', 'Adult', '2', '1150', '2300', '0', '0', 'active');
insert into orders (id, reference, status, payment_status, needs_attention, notice, customer_id, hold_id, contact_name, contact_email, contact_phone, traveler_names, locale, currency, subtotal, discount, tax, total, paid, refunded, fare_class_code, fare_class_name, fare_policy, terms_version, terms_accepted_at, declines, confirmed_at, canceled_at, version, inserted_at, updated_at) values
('ord_19s8pwanb8t6m92zx7cmgc8kbv', 'V9FG-NE6P', 'confirmed', 'paid', NULL, '', NULL, 'hld_2v1j615d7h6m2bme1m49563a9k', 'Ada Lovelace', 'guest@example.com', '', '["Augusta Quackenbush"]', 'en-US', 'USD', '2300', '0', '0', '2300', '2300', '0', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-23 20:38:36.761+00', '0', '2026-11-23 20:38:36.852+00', NULL, '3', '2026-11-23 20:38:36.761+00', '2026-11-23 20:38:36.852+00'),
('ord_2dn9d50hd6pbm5qaxj2zvdhxjc', 'MMD5-Y6CX', 'confirmed', 'paid', NULL, '', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'hld_1g48xkj560bj5wyyfk0ex94wnv', 'Robin Castellanos', 'demo@harborline.example', '+12065550123', '[]', 'en-US', 'USD', '3450', '0', '0', '3450', '3450', '0', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-17 14:36:00+00', '0', '2026-11-17 14:36:00+00', NULL, '2', '2026-11-17 14:36:00+00', '2026-11-17 14:36:00+00'),
('ord_2xyzx8hd6w7awp34ztb3kj35mw', 'F667-Q5Y9', 'canceled', 'refunded', NULL, 'This order was canceled and refunded.', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'hld_7y1xkazcbkgg1xqjqhd2rrxsen', 'Robin Castellanos', 'demo@harborline.example', '+12065550123', '[]', 'en-US', 'USD', '10400', '0', '0', '10400', '10400', '10400', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-17 14:12:00+00', '0', '2026-11-17 14:12:00+00', '2026-11-17 14:24:00+00', '5', '2026-11-17 14:12:00+00', '2026-11-17 14:24:00+00'),
('ord_3j86zqnamfqn5pr1s2p1g882ap', 'EQRB-D4F6', 'confirmed', 'paid', NULL, '', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'hld_7x104zjv6d67vw158gx601a64r', 'Robin Castellanos', 'demo@harborline.example', '+12065550123', '[]', 'en-US', 'USD', '850', '0', '0', '850', '850', '0', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-18 14:30:00+00', '0', '2026-11-18 14:30:00+00', NULL, '2', '2026-11-18 14:30:00+00', '2026-11-18 14:30:00+00'),
('ord_622snw79n5ymgxv5h7k0t0caab', 'GQVB-XDCE', 'confirmed', 'paid', NULL, '', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'hld_2ahm8e3xm09n8aky8jyhabn6hg', 'Robin Castellanos', 'demo@harborline.example', '+12065550123', '[]', 'en-US', 'USD', '2300', '0', '0', '2300', '2300', '0', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-23 20:38:35.395+00', '0', '2026-11-23 20:38:35.499+00', NULL, '3', '2026-11-23 20:38:35.395+00', '2026-11-23 20:38:35.499+00'),
('ord_6a0b30a3c66rn9skdfe3w582ej', '6HU4-X2Z4', 'confirmed', 'paid', 'sailing_canceled', '', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'hld_1sskv720jq8ra878bv1ytp9pce', 'Robin Castellanos', 'demo@harborline.example', '+12065550123', '[]', 'en-US', 'USD', '1150', '0', '0', '1150', '1150', '0', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-23 20:38:35.543+00', '0', '2026-11-23 20:38:35.602+00', NULL, '4', '2026-11-23 20:38:35.543+00', '2026-11-23 20:38:35.607+00'),
('ord_7j73w41qkm1kmz81k26mbhr41k', '494A-YC2D', 'confirmed', 'paid', NULL, '', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'hld_6mgr1mj392a0g6d1p5f91n9pmq', 'Ada Lovelace', 'demo@harborline.example', '', '["Augusta Quackenbush"]', 'en-US', 'USD', '1150', '0', '0', '1150', '1150', '0', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-23 20:38:36.941+00', '0', '2026-11-23 20:38:37.528+00', NULL, '3', '2026-11-23 20:38:36.941+00', '2026-11-23 20:38:37.528+00'),
('ord_7y1039ef8gabzrrbk8s8d1d716', 'QZ5G-JDKA', 'confirmed', 'paid', NULL, '', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'hld_07ccqjmct4dpxmk5xg09047c25', 'Robin Castellanos', 'demo@harborline.example', '+12065550123', '[]', 'en-US', 'USD', '1250', '0', '0', '1250', '1250', '0', 'flex', 'Flexible', '{"cancel": [{"fee": 0, "refund_bp": 10000, "until_minutes_before": 120}, {"fee": 0, "refund_bp": 5000, "until_minutes_before": 30}], "change": {"fee": 0, "allowed": true, "until_minutes": 60}, "no_show": "travel_next_same_day"}', '2026-01', '2026-11-17 15:00:00+00', '0', '2026-11-17 15:00:00+00', NULL, '2', '2026-11-17 15:00:00+00', '2026-11-17 15:00:00+00');
insert into passenger_types (id, code, name, age_min, age_max, uses_seat, requires_proof, needs_adult, is_default, sort, active) values
('pty_02ka8r09sfxrm5red1vsj17wa0', 'senior', 'Senior', '65', NULL, 'true', 'true', 'false', 'false', '4', 'true'),
('pty_163r45mjkjw13dzej181yqrfy6', 'adult', 'Adult', '19', '64', 'true', 'false', 'false', 'true', '0', 'true'),
('pty_3xq1z0xp1p8pf2dm1sym9s7sc1', 'infant', 'Infant', '0', '4', 'false', 'false', 'true', 'false', '3', 'true'),
('pty_78kch7p82aevgq01c9s42g73c4', 'youth', 'Youth', '12', '18', 'true', 'false', 'false', 'false', '1', 'true'),
('pty_7hs7m7s8kqy3p2y0wftp77ehgk', 'child', 'Child', '5', '11', 'true', 'false', 'true', 'false', '2', 'true');
insert into payment_cards (id, customer_id, provider_reference, method_created_at, fingerprint, network, funding, last_four, exp_month, exp_year, is_primary, status, inserted_at, updated_at) values
('pcd_5dgf1z3xd2ev518bpr4qafd88j', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'pm_ISE81RUMh23qw5lH782Z0jRz', '2026-11-23 20:38:32+00', 'bcbt8lYAVKHF4o4D', 'visa', 'credit', '4242', '12', '2029', 'true', 'active', '2026-09-30 13:06:00+00', '2026-11-23 20:38:39.484+00');
insert into payments (id, order_id, attempt, method, card_network, card_last_four, trip_card_id, amount, currency, status, provider_reference, declined_charges, started_from, inserted_at, updated_at) values
('pay_0fpv49zqywd8311eqae4yh0wp0', 'ord_2xyzx8hd6w7awp34ztb3kj35mw', '1', 'card', 'visa', '4242', NULL, '10400', 'USD', 'succeeded', 'pi_gNBUBrvkAtaD0THqdoeKtyHE', '[]', 'FpNzDB0wzMZZvtJ2v4npsU', '2026-11-17 14:12:00+00', '2026-11-17 14:12:00+00'),
('pay_0zwsbzrn6v7x7rgytczw51gnse', 'ord_7y1039ef8gabzrrbk8s8d1d716', '1', 'trip_card', NULL, NULL, 'tcd_22x5rkgt1g8149q5y1x2620j14', '1250', 'USD', 'succeeded', NULL, '[]', 'FpNzDB0wzMZZvtJ2v4npsU', '2026-11-17 15:00:00+00', '2026-11-17 15:00:00+00'),
('pay_26z3zxvgk58jvxdt08qbexd3wx', 'ord_6a0b30a3c66rn9skdfe3w582ej', '1', 'card', 'visa', '4242', NULL, '1150', 'USD', 'succeeded', 'pi_pqGmbnryavmjVzYTZrfFLYMa', '[]', 'FpNzDB0wzMZZvtJ2v4npsU', '2026-11-23 20:38:35.55+00', '2026-11-23 20:38:35.592+00'),
('pay_3vzp0gbvnzfqsdk67f96aqfq7s', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', '1', 'trip_card', NULL, NULL, 'tcd_51y3t07w0h9gdps0ec2gahpfnz', '3450', 'USD', 'succeeded', NULL, '[]', 'FpNzDB0wzMZZvtJ2v4npsU', '2026-11-17 14:36:00+00', '2026-11-17 14:36:00+00'),
('pay_4tn27red405wcwn4wmbfmn1927', 'ord_3j86zqnamfqn5pr1s2p1g882ap', '1', 'trip_card', NULL, NULL, 'tcd_22x5rkgt1g8149q5y1x2620j14', '850', 'USD', 'succeeded', NULL, '[]', 'FpNzDB0wzMZZvtJ2v4npsU', '2026-11-18 14:30:00+00', '2026-11-18 14:30:00+00'),
('pay_6act6gtp8ysfdpgjqz32y51afn', 'ord_7j73w41qkm1kmz81k26mbhr41k', '1', 'card', 'visa', '4242', NULL, '1150', 'USD', 'succeeded', 'pi_z595RchQUUoyhQ79wPh10zWs', '[]', 'jMMnPij-Xg_Vn_MEClUVAa', '2026-11-23 20:38:37.141+00', '2026-11-23 20:38:37.458+00'),
('pay_754k92yhcw4h1kvsrf00z4g3w0', 'ord_622snw79n5ymgxv5h7k0t0caab', '1', 'card', 'visa', '4242', NULL, '2300', 'USD', 'succeeded', 'pi_X0V5SADMUBbhWSFMldXru6gL', '[]', 'FpNzDB0wzMZZvtJ2v4npsU', '2026-11-23 20:38:35.418+00', '2026-11-23 20:38:35.492+00'),
('pay_7mqsmknfebqxtjahrrg2khhxbv', 'ord_19s8pwanb8t6m92zx7cmgc8kbv', '1', 'card', 'visa', '4242', NULL, '2300', 'USD', 'succeeded', 'pi_tpBapNXqKygORXkCfr3jRIUt', '[]', 'jMMnPij-Xg_Vn_MEClUVAa', '2026-11-23 20:38:36.799+00', '2026-11-23 20:38:36.845+00');
insert into ports (id, gtfs_stop_id, code, name, time_zone, lat, lon, address, step_free, active) values
('prt_28a2zzqtcmhyc4wxedqsj9rkd6', 'madrona', 'MAD', 'Port Madrona', 'America/Los_Angeles', '47.9512', '-122.4208', '1 Ferry Dock Road, Port Madrona, WA', 'yes', 'true'),
('prt_41fnha4czrpm4d7d5rzjexabnx', 'kestrel', 'KES', 'Kestrel Harbor', 'America/Los_Angeles', '48.1167', '-122.6935', '20 Harbor Street, Kestrel Harbor, WA', 'partly', 'true'),
('prt_6b3q3e31w4y9fpcp5fd589xy38', 'fairwater', 'FAI', 'Fairwater, BC', 'America/Vancouver', '48.4391', '-123.3026', '410 Wharf Street, Fairwater, BC', 'yes', 'true'),
('prt_7wed8wncnhjx1twekbhr7pj25t', 'heron', 'HER', 'Heron Island', 'America/Los_Angeles', '48.0331', '-122.5874', 'Heron Landing, Heron Island, WA', 'yes', 'true');
insert into promo_codes (id, code, kind, value, route_codes, max_redemptions, redeemed, active) values
('prm_06xpayz8gy1q90vdpj6wwmv4x9', 'HARBOR10', 'percent_bp', '1000', NULL, NULL, '0', 'true'),
('prm_71bxsr95e9hqgpc4wa64st8vcs', 'FIRSTBOAT', 'amount', '500', '["MAD-HER", "HER-MAD"]', '500', '0', 'true');
insert into refunds (id, order_id, payment_id, amount, reason, status, provider_reference, failed_references, inserted_at, updated_at) values
('rfd_0cv0zgaeq7t5vsxg6q500whft4', 'ord_2xyzx8hd6w7awp34ztb3kj35mw', 'pay_0fpv49zqywd8311eqae4yh0wp0', '10400', 'operator', 'succeeded', 're_lBqHha8Xu9xZsUIcljBnUe71', '[]', '2026-11-17 14:24:00+00', '2026-11-17 14:24:00+00');
insert into routes (id, gtfs_route_id, code, name, origin_port_id, destination_port_id, crossing_minutes, carries_vehicles, carries_bicycles, sales_close_minutes, check_in_open_minutes, check_in_close_minutes_foot, check_in_close_minutes_vehicle, max_vehicle_length_cm, max_vehicle_height_cm, sort, active) values
('rte_06x5rzrx6z145sb170jskpnj4y', 'heron-kestrel', 'HER-KES', 'Heron Island to Kestrel Harbor', 'prt_7wed8wncnhjx1twekbhr7pj25t', 'prt_41fnha4czrpm4d7d5rzjexabnx', '30', 'true', 'true', '15', '45', '10', '20', '1500', '427', '2', 'true'),
('rte_0fydg21z7d8r45q9w2myx9yeyg', 'madrona-heron', 'HER-MAD', 'Heron Island to Port Madrona', 'prt_7wed8wncnhjx1twekbhr7pj25t', 'prt_28a2zzqtcmhyc4wxedqsj9rkd6', '35', 'true', 'true', '15', '60', '10', '20', '2400', '457', '1', 'true'),
('rte_0hvkagge6b72s46r2786zrq5a4', 'madrona-heron', 'MAD-HER', 'Port Madrona to Heron Island', 'prt_28a2zzqtcmhyc4wxedqsj9rkd6', 'prt_7wed8wncnhjx1twekbhr7pj25t', '35', 'true', 'true', '15', '60', '10', '20', '2400', '457', '0', 'true'),
('rte_12fqkb68fd107z1q0vkmw3kk2h', 'madrona-fairwater', 'MAD-FAI', 'Port Madrona to Fairwater, BC', 'prt_28a2zzqtcmhyc4wxedqsj9rkd6', 'prt_6b3q3e31w4y9fpcp5fd589xy38', '110', 'false', 'true', '30', '75', '20', '20', NULL, NULL, '4', 'true'),
('rte_5dz8psx6nk3tzvzvn6k41h13f2', 'heron-kestrel', 'KES-HER', 'Kestrel Harbor to Heron Island', 'prt_41fnha4czrpm4d7d5rzjexabnx', 'prt_7wed8wncnhjx1twekbhr7pj25t', '30', 'true', 'true', '15', '45', '10', '20', '1500', '427', '3', 'true'),
('rte_64vp312trhn6a62p6r2cnr7k6j', 'madrona-fairwater', 'FAI-MAD', 'Fairwater, BC to Port Madrona', 'prt_6b3q3e31w4y9fpcp5fd589xy38', 'prt_28a2zzqtcmhyc4wxedqsj9rkd6', '110', 'false', 'true', '30', '75', '20', '20', NULL, NULL, '5', 'true');
insert into sailing_capacity (sailing_id, resource, total, sellable_online, held, sold, boarded) values
('slg_0yb01gybcrc1va4c2g128n5354', 'tall_lane_cm', '9000', '8100', '0', '0', '0'),
('slg_0yb01gybcrc1va4c2g128n5354', 'lane_cm', '36000', '32400', '0', '0', '0'),
('slg_0yb01gybcrc1va4c2g128n5354', 'bicycle', '40', '36', '0', '0', '0'),
('slg_0yb01gybcrc1va4c2g128n5354', 'passenger', '450', '405', '0', '1', '0'),
('slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'lane_cm', '36000', '32400', '0', '0', '0'),
('slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'tall_lane_cm', '9000', '8100', '0', '0', '0'),
('slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'passenger', '450', '405', '0', '6', '0'),
('slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'bicycle', '40', '36', '0', '0', '0'),
('slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'passenger', '149', '134', '0', '1', '0'),
('slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'bicycle', '20', '18', '0', '0', '0'),
('slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'lane_cm', '14400', '12960', '0', '0', '0'),
('slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'tall_lane_cm', '3600', '3240', '0', '0', '0'),
('slg_501g2eqafgwm2yj8w7b4q46z27', 'tall_lane_cm', '9000', '8100', '0', '0', '0'),
('slg_501g2eqafgwm2yj8w7b4q46z27', 'bicycle', '40', '36', '0', '1', '0'),
('slg_501g2eqafgwm2yj8w7b4q46z27', 'passenger', '450', '405', '0', '1', '0'),
('slg_501g2eqafgwm2yj8w7b4q46z27', 'lane_cm', '36000', '32400', '0', '0', '0'),
('slg_5vp71azvff24cmjmmcye6mdqkg', 'passenger', '450', '405', '0', '3', '0'),
('slg_5vp71azvff24cmjmmcye6mdqkg', 'bicycle', '40', '36', '0', '0', '0'),
('slg_5vp71azvff24cmjmmcye6mdqkg', 'lane_cm', '36000', '32400', '0', '0', '0'),
('slg_5vp71azvff24cmjmmcye6mdqkg', 'tall_lane_cm', '9000', '8100', '0', '0', '0'),
('slg_630w8wmcmxym5z0s144j383krf', 'bicycle', '24', '22', '0', '0', '0'),
('slg_630w8wmcmxym5z0s144j383krf', 'passenger', '149', '141', '0', '0', '0'),
('slg_7kzscag0eybm7tvq35es4w415k', 'bicycle', '40', '36', '0', '0', '0'),
('slg_7kzscag0eybm7tvq35es4w415k', 'lane_cm', '36000', '32400', '0', '0', '0'),
('slg_7kzscag0eybm7tvq35es4w415k', 'tall_lane_cm', '9000', '8100', '0', '0', '0'),
('slg_7kzscag0eybm7tvq35es4w415k', 'passenger', '450', '405', '0', '2', '0');
insert into sailings (id, route_id, vessel_id, service_date, gtfs_trip_key, departs_at, arrives_at, status, status_text, withdrawn, delay_minutes, sales_close_at, oversubscribed, version, updated_at) values
('slg_0yb01gybcrc1va4c2g128n5354', 'rte_0hvkagge6b72s46r2786zrq5a4', 'ves_2t8pkfstv2qxdbc6cy5gf2cjyn', '2026-11-24', 'madrona-heron-weekday-1220', '2026-11-24 20:20:00+00', '2026-11-24 20:55:00+00', 'canceled', 'Canceled because of strong wind. The next boats run as planned.', 'false', '0', '2026-11-24 20:05:00+00', 'false', '2', '2026-11-23 20:38:35.607+00'),
('slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'rte_0hvkagge6b72s46r2786zrq5a4', 'ves_2t8pkfstv2qxdbc6cy5gf2cjyn', '2026-11-17', 'madrona-heron-weekday-0900', '2026-11-17 17:00:00+00', '2026-11-17 17:35:00+00', 'scheduled', '', 'false', '0', '2026-11-17 16:45:00+00', 'false', '1', '2026-11-17 14:00:00+00'),
('slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'rte_06x5rzrx6z145sb170jskpnj4y', 'ves_3m9r565nbbzpm1xkmk4m9hy8zh', '2026-11-18', 'heron-kestrel-weekday-0830', '2026-11-18 16:30:00+00', '2026-11-18 17:00:00+00', 'scheduled', '', 'false', '0', '2026-11-18 16:15:00+00', 'false', '1', '2026-11-17 14:00:00+00'),
('slg_501g2eqafgwm2yj8w7b4q46z27', 'rte_0fydg21z7d8r45q9w2myx9yeyg', 'ves_2t8pkfstv2qxdbc6cy5gf2cjyn', '2026-11-17', 'heron-madrona-weekday-0950', '2026-11-17 17:50:00+00', '2026-11-17 18:25:00+00', 'scheduled', '', 'false', '0', '2026-11-17 17:35:00+00', 'false', '1', '2026-11-17 14:00:00+00'),
('slg_5vp71azvff24cmjmmcye6mdqkg', 'rte_0hvkagge6b72s46r2786zrq5a4', 'ves_2t8pkfstv2qxdbc6cy5gf2cjyn', '2026-11-30', 'madrona-heron-weekday-0540', '2026-11-30 13:40:00+00', '2026-11-30 14:15:00+00', 'scheduled', '', 'false', '0', '2026-11-30 13:25:00+00', 'false', '1', '2026-11-23 20:38:33.001+00'),
('slg_630w8wmcmxym5z0s144j383krf', 'rte_12fqkb68fd107z1q0vkmw3kk2h', 'ves_4ej1hrjtprxdvfkkhwftjq0qyq', '2026-11-17', 'madrona-fairwater-weekday-0800', '2026-11-17 16:00:00+00', '2026-11-17 17:50:00+00', 'scheduled', '', 'false', '0', '2026-11-17 15:30:00+00', 'false', '1', '2026-11-17 14:00:00+00'),
('slg_7kzscag0eybm7tvq35es4w415k', 'rte_0hvkagge6b72s46r2786zrq5a4', 'ves_2t8pkfstv2qxdbc6cy5gf2cjyn', '2026-11-24', 'madrona-heron-weekday-1720', '2026-11-25 01:20:00+00', '2026-11-25 01:55:00+00', 'scheduled', 'Leaves about 5:45 PM after an engine check. Check-in closes at the usual time.', 'false', '25', '2026-11-25 01:05:00+00', 'false', '2', '2026-11-23 20:38:35.502+00');
insert into secrets (name, value) values
('app-check', '1tPDQGijUER0Cj6XEHI-Kga-FYIs198SzGVC2TGvWwI');
insert into security_events (id, customer_id, kind, device, inserted_at) values
('sev_2k0x6r4x5fxc71nh3hdd4pbq4z', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'signed_in_on_new_device', 'Unknown device', '2026-11-23 20:38:36.632+00'),
('sev_3x6je44089pvwwpa06wd7w916n', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', 'primary_card_added', 'Chrome on Android', '2026-09-30 13:06:00+00');
insert into sessions (id, customer_id, token_hash, fresh_until, kind, device, inserted_at, last_seen_at, expires_at) values
('ses_7ygepme1qns6xvh4cj9ep8x41n', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '625843c22485d44bb724e197907769960d002eeb477e7898239761f501ec3c5d', '2026-11-23 20:48:36.628+00', 'password', 'Unknown device', '2026-11-23 20:38:36.628+00', '2026-11-23 20:38:36.628+00', '2027-11-23 20:38:36.628+00');
insert into ticket_keys (key_id, public_key, sealed_private_key, not_before) values
('k1', '6PyApOXOja24qj43CrXWebx_Vg7V6JXS4fQc1yzvKOg', 'md3Q1zBlkk62tALsNAKyhbRLibOS1NjR7GDXSLiNjLi_x6-hFzFA58RwNXmzUHFp0FwAnebPWKkrO19R1keSmMEFGSMQPjI0GUoamKD9geR3teMwexPrhnHJyPw', '2026-11-23 20:38:31.494+00');
insert into tickets (id, order_id, line_id, sailing_id, leg, kind, title, party_index, party_size, boarding_code, status, payload, key_id, version, issued_at) values
('tkt_058ss4bhefff5sxx95m5pkc3b3', 'ord_19s8pwanb8t6m92zx7cmgc8kbv', 'oln_5e8wnam3cvcp9g9cvt642bn78g', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'out', 'passenger', 'Adult', '2', '2', 'SA9N SMKF', 'issued', 'GW1040021A6E92WBKVVSEFFA9D1DMV0TRXVP71AZVFF24CMJMMCYE6MDQKG074C4501S33V80000010400115B3JHJ75N74ADJG0NGP8XBCEG7992T3NZJN5WWNSKVJ7ZGH01SXPMBD4KA3J58MP0E8EBVE6K4HV7WK7YWEP3MX3X7MFWC4DG600CSHJQ0B6C9DEP1WM010538TB0R9', 'k1', '1', '2026-11-23 20:38:36.853+00'),
('tkt_0wzbkx7jtpamdxg6w6pzzypbm0', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', 'oln_3bzfrrn49b3shwjgx09ay08c97', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'out', 'passenger', 'Child', '3', '4', 'C3MM MZ5V', 'issued', 'GW10400277TWZ9WPNJN3FC1Q1NQZZNJX012VZBFQXVWHP7SRVHR4Q6ZRK9J0747KF01S1ZNR000001G8001156MTH1N5NCKCGTR0NHPGTBCCJ8WZ6QA15B6FVP1WEQ0P8CAK74SEX4HKV4GS8SD4NFYTFNDPHPQ9S9JJ89XVYAG9R2AH7AFQPNGJEWXZZP5WVN15HBFHQFGHH8NY388', 'k1', '1', '2026-11-17 14:36:00+00'),
('tkt_1n5c0j4rg59jjg4excr5wzjmh6', 'ord_7y1039ef8gabzrrbk8s8d1d716', 'oln_424k49cevabvj758tywp34qhf4', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'out', 'passenger', 'Adult', '1', '2', 'PCWF T3XZ', 'issued', 'GW104002D9B04H641ACMM13QB61F7WN49N01G2EQAFGWM2YJ8W7B4Q46Z270747KVG1S1ZRW000000G4001158NMDA75N548JT10NGP8XBCEH6YV1ZHS6WFC5YMQ1CZCCV2D32J5H4HQ7QWGK1FPXFAC6VM5VVWCH1C46P6TA0MGQHTGVCAMJGJ0B056YWNE3X12T251409P4609W8D', 'k1', '1', '2026-11-17 15:00:00+00'),
('tkt_1xsccq31qjydv9t31hppwvcqv5', 'ord_622snw79n5ymgxv5h7k0t0caab', 'oln_3pqytfprnk2ywprc4d2zmtmz04', 'slg_7kzscag0eybm7tvq35es4w415k', 'out', 'passenger', 'Adult', '2', '2', '567M TJJS', 'issued', 'GW104002FEB35RRDWQKETEGRCDNQ6V5YSFKZSCAG0EYBM7TVQ35ES4W415K074A6401S2MB000000104001153N2NJ25NC48GT50NGP8XBCEJTE5NG8S4WSN9RAE76AKRQSYPMH0ZNJYHYAP9SZDA8J8Y87APR3EF7PW5Q2QPYE6Q4EDVWEZBXW9ZF3EWNXQD8YCFQVKW3DDJJZN0R1', 'k1', '1', '2026-11-23 20:38:35.499+00'),
('tkt_2ctw0cgadb9rh6nh5z6w93ete0', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', 'oln_6w9y42p6tf3dn91ansxqvw69qr', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'out', 'passenger', 'Adult', '1', '4', '3AA4 JNRU', 'issued', 'GW104002K6Q0342KATE49NC9FSQ28VPKG12VZBFQXVWHP7SRVHR4Q6ZRK9J0747KF01S1ZNR000000G8001156MTH1N5NCKCGTR0NGP8XBCEHG3NZBX9MV2J2564BWP4B8792CWHQ286D0ZTTJW2811GMD7G6KF0SBC0JDQS63PKWK9XNFGJ9C7QKHBDPBVYYKS0J438V95SC4642GE', 'k1', '1', '2026-11-17 14:36:00+00'),
('tkt_2ee0k51tbqcd1m9gtwqdnsfg0q', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', 'oln_6w9y42p6tf3dn91ansxqvw69qr', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'out', 'passenger', 'Adult', '2', '4', 'V5AX F5W8', 'issued', 'GW104002KKG4S8EJXV38D2C6Q5VDEBW05S2VZBFQXVWHP7SRVHR4Q6ZRK9J0747KF01S1ZNR00000108001156MTH1N5NCKCGTR0NGP8XBCEH3TCJ3E7HDJ0V7YY8KP0BPPR09K4S2922R47YEFB6R0GZQFG9KABSY29716DQBQ2ABN0JZEB72T05832T35GW8Q7TX64WFAAYJ2APGF', 'k1', '1', '2026-11-17 14:36:00+00'),
('tkt_4a62nzeekwfmjrt1s86hvej8h1', 'ord_2xyzx8hd6w7awp34ztb3kj35mw', 'oln_1ta4e62jv3b4h6nw6f9q8j4s8v', 'slg_630w8wmcmxym5z0s144j383krf', 'out', 'passenger', 'Adult', '2', '2', 'N3PZ MG4K', 'canceled', 'GW1040032HGNFVKMZ3X4P6GEA1MEVMJ48E30W8WMCMXYM5Z0S144J383KRF0747K001S1ZJ0000001040011533CDHQ5N8KAP9S0NGP8XBCEKEYX2BGGSNMDSCEMGHP2HSQES1Z1F4JX2EMJKMDMPPVFKRMPSA70QY74PZ5QSNH9Y6T2AMVFG2WK2ZVXPD8P5QYQSYS0Z10TG0VPZGF', 'k1', '2', '2026-11-17 14:12:00+00'),
('tkt_4y1wp1ntpfm6x44rts6p5ggqzq', 'ord_7j73w41qkm1kmz81k26mbhr41k', 'oln_1hatb39qbqvpydhqb3hyevv6x0', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'out', 'passenger', 'Adult', '1', '1', '6XSZ E3CF', 'issued', 'GW1040037GF5GDENKX1Q9166P9NHC45ZXXVP71AZVFF24CMJMMCYE6MDQKG074C4501S33V8000000G200114T3JD215NCM6CJ40NGP8XBCEHF297GF8SB0FBEMF0252GX8SQ0BX3G2Y0AN6E8PJCJE7PAA8J1PKZP9PFBMDA53PS523X7NM3XDV275SKPK5Z5EW8Y26S1C10QZBG8D', 'k1', '1', '2026-11-23 20:38:37.529+00'),
('tkt_5ksm6cs4zsjba4007580g4f5ma', 'ord_3j86zqnamfqn5pr1s2p1g882ap', 'oln_04q2tthmpkm73h9b7995nbf6s8', 'slg_1sx1jv5vdfm6raxtnfg4ks7b6r', 'out', 'passenger', 'Adult', '1', '1', 'ZXQX 82MG', 'issued', 'GW104003CYD1K697YCJTH001SA0413SD2HSX1JV5VDFM6RAXTNFG4KS7B6R0747YFG1S22DW000000G2001152N2MJ25N238HHP0NGP8XBCEKCX8ADR0Z4XG632ERAAFQ36NMZNDX64J6Z633ANBQEKXJCK5CM0QGXMBFB6MDDQQAC58PHMZJ0S6WAN1MY3TQK3TYZD0X1B8KQ5F9RA', 'k1', '1', '2026-11-18 14:30:00+00'),
('tkt_5pcqvn2szqfws7vz5n109mv58k', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', 'oln_3bzfrrn49b3shwjgx09ay08c97', 'slg_12vzbfqxvwhp7srvhr4q6zrk9j', 'out', 'passenger', 'Child', '4', '4', 'PAWD M3Z4', 'issued', 'GW104003DK5YX8PFXVZ69YZSD882D6SA4S2VZBFQXVWHP7SRVHR4Q6ZRK9J0747KF01S1ZNR00000208001156MTH1N5NCKCGTR0NHPGTBCCHNTBPC7XJRSHGZMGEB2FABW87PVY0CNAW4HEYWR0J4Q3VKGW92Q87GPT4A2VHWFPNTVBD8V49CZJRXB19K83WP5EHK926W7J4CS4889', 'k1', '1', '2026-11-17 14:36:00+00'),
('tkt_77j382q7tq2459z7p0x3kb58ke', 'ord_19s8pwanb8t6m92zx7cmgc8kbv', 'oln_5e8wnam3cvcp9g9cvt642bn78g', 'slg_5vp71azvff24cmjmmcye6mdqkg', 'out', 'passenger', 'Adult', '1', '2', '24VZ NTWC', 'issued', 'GW104003SWGT0NSYNRH1AFSXG78WTSA4VNVP71AZVFF24CMJMMCYE6MDQKG074C4501S33V8000000G400115B3JHJ75N74ADJG0NGP8XBCEK7DEQE377ZYB8XXZD19DWB3HXH2SFD191GH695BYZ5ZQ5QYW2VNXSB4PMS50H9VXMSAN238VDSM5C3N9VZYPESTGF99SENBPB1WWMGC', 'k1', '1', '2026-11-23 20:38:36.853+00'),
('tkt_78ncq5dphfpfabgc4jrxayj1t3', 'ord_6a0b30a3c66rn9skdfe3w582ej', 'oln_5kwxmv7z4t9s3rwswjj6h1awcz', 'slg_0yb01gybcrc1va4c2g128n5354', 'out', 'passenger', 'Adult', '1', '1', 'TKND 2K7K', 'issued', 'GW104003T5B5SBDMBXKTJW314P7AQMGEGRYB01GYBCRC1VA4C2G128N5354074A3S01S2KR8000000G200114V4GN9M5NC34PHM0NGP8XBCEH0DQSTW92FVD598EF8NVPKQDHY74YT28K6VTSD1R1J21Q0VYWEB49ZG33CXJ59Z4565T708DWVAK65JYB7QD0WSKB7BKEXEGCTKM804', 'k1', '1', '2026-11-23 20:38:35.602+00'),
('tkt_7b9s83gjrrea84h4gms528kkrt', 'ord_622snw79n5ymgxv5h7k0t0caab', 'oln_3pqytfprnk2ywprc4d2zmtmz04', 'slg_7kzscag0eybm7tvq35es4w415k', 'out', 'passenger', 'Adult', '1', '2', 'F89N 6J6M', 'issued', 'GW104003TTEA0W4P63JJ14945698J4WY6QKZSCAG0EYBM7TVQ35ES4W415K074A6401S2MB0000000G4001153N2NJ25NC48GT50NGP8XBCEKE6QB7QXBWF53ENJ9CCNCRVF4KC2JQ1D95FFPGJJZ4GC0W5CMY59QSRRE33SYBY5106R091S54AHD2QMPDPP6VWA7NQX93V6GKRYE84', 'k1', '1', '2026-11-23 20:38:35.499+00'),
('tkt_7dg41g21b9x04c76npf1g3vc0k', 'ord_7y1039ef8gabzrrbk8s8d1d716', 'oln_46xea9a7rwp9sy8m0xj8966sxf', 'slg_501g2eqafgwm2yj8w7b4q46z27', 'out', 'bicycle', 'Bicycle', '2', '2', 'ZBSG P4R7', 'issued', 'GW104003VC10C0GATF8131SNDKRC0YV04X01G2EQAFGWM2YJ8W7B4Q46Z270747KVG1S1ZRW0G000104001158NMDA75N548JT100GJKZWF0DCYH11ZM5XY0WK72QEWB3XFT7AXY13SEZ17D3R24GQMAJMPBGM59AJGPQQ96YWSH5KP7FWCAWNVMRBG2F2ZVPDHDW7PWHG5', 'k1', '1', '2026-11-17 15:00:00+00'),
('tkt_7j0nctm4w4becpb2s3bxv3ej3g', 'ord_2xyzx8hd6w7awp34ztb3kj35mw', 'oln_1ta4e62jv3b4h6nw6f9q8j4s8v', 'slg_630w8wmcmxym5z0s144j383krf', 'out', 'passenger', 'Adult', '1', '2', 'P7AQ HT7P', 'canceled', 'GW104003WG5B6N1712VK5JRP8TZERVMGW630W8WMCMXYM5Z0S144J383KRF0747K001S1ZJ0000000G40011533CDHQ5N8KAP9S0NGP8XBCEGJ8D0PYMCRM9EQW9M98SXFTFETMPZ5JT1EWQ058YND41PE7DF9NRAT7GC4XVN9X68TWW4AZH2SSHVRVN452KT14M9PMXKRGHKW2CBR3', 'k1', '2', '2026-11-17 14:12:00+00');
insert into top_ups (id, trip_card_id, seq, by_customer_id, amount, currency, trigger, payment_card_id, status, provider_reference, declined_charges, started_from, receipt_number, idempotency_key, inserted_at, completed_at, updated_at) values
('top_013acw7esspqt8wq7k7m18z0pw', 'tcd_22x5rkgt1g8149q5y1x2620j14', '2', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '2500', 'USD', 'auto', 'pcd_5dgf1z3xd2ev518bpr4qafd88j', 'succeeded', 'pi_I4HYDKDLO7Q3sAunNR1A3FPS', '[]', 'auto:cus_2ns9sjyv6s12am2tzw6nrpmx05', 'PXF3-TK22', 'top_013acw7esspqt8wq7k7m18z0pw', '2026-11-12 02:00:00+00', '2026-11-12 02:00:00+00', '2026-11-12 02:00:00+00'),
('top_04bpfxn448d96m6fp9fz665pc8', 'tcd_51y3t07w0h9gdps0ec2gahpfnz', '1', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '4000', 'USD', 'manual', 'pcd_5dgf1z3xd2ev518bpr4qafd88j', 'succeeded', 'pi_S1iATDMJJdOZpDmaaxXX65Zj', '[]', 'FpNzDB0wzMZZvtJ2v4npsU', 'GE92-E9WB', '18ab619c-18df-4bfe-84f0-6733eada50dd', '2026-09-30 13:18:00+00', '2026-09-30 13:18:00+00', '2026-09-30 13:18:00+00'),
('top_6heb3vy1505khk901bgm5bejgb', 'tcd_22x5rkgt1g8149q5y1x2620j14', '1', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '5000', 'USD', 'manual', 'pcd_5dgf1z3xd2ev518bpr4qafd88j', 'succeeded', 'pi_Jm03jWfe7oFV5Hkq9MVBetQ4', '[]', 'FpNzDB0wzMZZvtJ2v4npsU', 'VY2G-P2YB', 'a0a14dda-6248-49e5-b67f-666831faad8e', '2026-09-30 13:12:00+00', '2026-09-30 13:12:00+00', '2026-09-30 13:12:00+00');
insert into trip_card_entries (id, trip_card_id, seq, kind, amount, balance_after, order_id, top_up_id, description, place, idempotency_key, actor, by_customer_id, occurred_at, inserted_at) values
('ent_1z5nbqc00p8mjnfc2w85v9gn9w', 'tcd_50f11pwxkmrapv1ax811jf6sdp', '1', 'adjustment', '1000', '1000', NULL, NULL, 'On the card when it was sold', NULL, 'issue:9000000000000035', 'staff', NULL, '2026-11-23 20:38:35.905+00', '2026-11-23 20:38:35.905+00'),
('ent_2djwj9qpqfz4qzvhhpcrk7kbb5', 'tcd_22x5rkgt1g8149q5y1x2620j14', '3', 'fare', '-925', '3150', NULL, NULL, 'Fare at the gate', 'Heron Island', 'gate:demo-gate:497784', 'device', NULL, '2026-10-15 00:00:00+00', '2026-10-15 00:00:00+00'),
('ent_2q0ggkkzbv2akfrxad9jhs30hm', 'tcd_22x5rkgt1g8149q5y1x2620j14', '8', 'fare', '-850', '1700', 'ord_3j86zqnamfqn5pr1s2p1g882ap', NULL, 'Ferry tickets EQRB-D4F6', NULL, 'order:ord_3j86zqnamfqn5pr1s2p1g882ap:attempt:1', 'customer', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '2026-11-18 14:30:00+00', '2026-11-18 14:30:00+00'),
('ent_4cw3m2skms0xwr4b8pzrcf668x', 'tcd_3803brkcvfjtyvc21f3gr344kt', '1', 'adjustment', '4000', '4000', NULL, NULL, 'On the card when it was sold', NULL, 'issue:9000000000000027', 'staff', NULL, '2026-11-23 20:38:35.863+00', '2026-11-23 20:38:35.863+00'),
('ent_4prd6zwfkkyqmn78cahszywvzk', 'tcd_51y3t07w0h9gdps0ec2gahpfnz', '2', 'fare', '-3450', '550', 'ord_2dn9d50hd6pbm5qaxj2zvdhxjc', NULL, 'Ferry tickets MMD5-Y6CX', NULL, 'order:ord_2dn9d50hd6pbm5qaxj2zvdhxjc:attempt:1', 'customer', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '2026-11-17 14:36:00+00', '2026-11-17 14:36:00+00'),
('ent_4rzz9dhdzswy867dryg2f852gv', 'tcd_22x5rkgt1g8149q5y1x2620j14', '4', 'fare', '-925', '2225', NULL, NULL, 'Fare at the gate', 'Port Madrona', 'gate:demo-gate:498280', 'device', NULL, '2026-11-04 16:00:00+00', '2026-11-04 16:00:00+00'),
('ent_5aghxdvdqvkkgeqsbkh2e7pjpm', 'tcd_22x5rkgt1g8149q5y1x2620j14', '7', 'fare', '-1250', '2550', 'ord_7y1039ef8gabzrrbk8s8d1d716', NULL, 'Ferry tickets QZ5G-JDKA', NULL, 'order:ord_7y1039ef8gabzrrbk8s8d1d716:attempt:1', 'customer', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '2026-11-17 15:00:00+00', '2026-11-17 15:00:00+00'),
('ent_5h28r6hspzbx8391twg5ftssr8', 'tcd_22x5rkgt1g8149q5y1x2620j14', '5', 'fare', '-925', '1300', NULL, NULL, 'Fare at the gate', 'Heron Island', 'gate:demo-gate:498458', 'device', NULL, '2026-11-12 02:00:00+00', '2026-11-12 02:00:00+00'),
('ent_5xhgs23krs1rv6q19dejk0fh1z', 'tcd_6m59ns833s49j5d9fs4r3pnbev', '1', 'adjustment', '2500', '2500', NULL, NULL, 'On the card when it was sold', NULL, 'issue:9000000000000019', 'staff', NULL, '2026-11-23 20:38:35.82+00', '2026-11-23 20:38:35.82+00'),
('ent_61nkcaer5hb2vfgfxzryb0wm0h', 'tcd_51y3t07w0h9gdps0ec2gahpfnz', '1', 'top_up', '4000', '4000', NULL, 'top_04bpfxn448d96m6fp9fz665pc8', 'Top-up', NULL, 'top_up:top_04bpfxn448d96m6fp9fz665pc8', 'customer', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '2026-09-30 13:18:00+00', '2026-09-30 13:18:00+00'),
('ent_69frfe53gpek4q7zjzna9vp7d1', 'tcd_22x5rkgt1g8149q5y1x2620j14', '6', 'top_up', '2500', '3800', NULL, 'top_013acw7esspqt8wq7k7m18z0pw', 'Automatic top-up', NULL, 'top_up:top_013acw7esspqt8wq7k7m18z0pw', 'system', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '2026-11-12 02:00:00+00', '2026-11-12 02:00:00+00'),
('ent_6jtqgwf3qvpyh388xmv0k7pb92', 'tcd_22x5rkgt1g8149q5y1x2620j14', '1', 'top_up', '5000', '5000', NULL, 'top_6heb3vy1505khk901bgm5bejgb', 'Top-up', NULL, 'top_up:top_6heb3vy1505khk901bgm5bejgb', 'customer', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', '2026-09-30 13:12:00+00', '2026-09-30 13:12:00+00'),
('ent_7xwbssw1t1a4cw2dhpn41hwhcp', 'tcd_22x5rkgt1g8149q5y1x2620j14', '2', 'fare', '-925', '4075', NULL, NULL, 'Fare at the gate', 'Port Madrona', 'gate:demo-gate:497608', 'device', NULL, '2026-10-07 16:00:00+00', '2026-10-07 16:00:00+00');
insert into trip_cards (id, number, name, customer_id, pin_hash, status, currency, balance, held, entry_count, low_balance_at, low_balance_told, last_used_at, is_demo, version, inserted_at, updated_at) values
('tcd_22x5rkgt1g8149q5y1x2620j14', '9920988710953633', 'Everyday card', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', NULL, 'active', 'USD', '1700', '0', '8', NULL, 'false', '2026-11-18 14:30:00+00', 'false', '9', '2026-09-30 13:06:00+00', '2026-11-18 14:30:00+00'),
('tcd_3803brkcvfjtyvc21f3gr344kt', '9000000000000027', 'Trip card', NULL, '$argon2id$v=19$m=19456,t=2,p=1$UmVWF1A/6EFq22gPJzW+Yg$dA00QU4Eek2mrhzGv7ITXKHvr9srEVi3R4fhzb795zs', 'active', 'USD', '4000', '0', '1', NULL, 'false', NULL, 'true', '2', '2026-11-23 20:38:35.861+00', '2026-11-23 20:38:35.863+00'),
('tcd_50f11pwxkmrapv1ax811jf6sdp', '9000000000000035', 'Trip card', NULL, '$argon2id$v=19$m=19456,t=2,p=1$Cfyn6wFTQziFMQZmU8AHRQ$kbz9xB28Vd6r3ryd2IR2t2Z3Ex5Bxi+Bs3xNHzJRWd4', 'active', 'USD', '1000', '0', '1', NULL, 'false', NULL, 'true', '2', '2026-11-23 20:38:35.903+00', '2026-11-23 20:38:35.905+00'),
('tcd_51y3t07w0h9gdps0ec2gahpfnz', '9449214063453051', 'Family card', 'cus_2ns9sjyv6s12am2tzw6nrpmx05', NULL, 'active', 'USD', '550', '0', '2', '1000', 'true', '2026-11-17 14:36:00+00', 'false', '4', '2026-09-30 13:06:00+00', '2026-11-17 14:36:00+00'),
('tcd_6m59ns833s49j5d9fs4r3pnbev', '9000000000000019', 'Trip card', NULL, '$argon2id$v=19$m=19456,t=2,p=1$v2eGs7of9mK/UVBXPv/qMw$7X6dh2DHVPHus0hEZXCdzkxLuFh0WFAbVh5FEtdnhbE', 'active', 'USD', '2500', '0', '1', NULL, 'false', NULL, 'true', '2', '2026-11-23 20:38:35.818+00', '2026-11-23 20:38:35.82+00');
insert into vehicle_types (id, code, name, length_required, height_required, min_length_cm, max_length_cm, max_height_cm, fixed_lane_cm, gap_cm, included_driver_type_id, plate_required, allows_trailer, sort, active) values
('vty_1brncnn13hbesb0580fbj8a606', 'car', 'Car, SUV or pickup', 'true', 'false', '250', '1500', '213', NULL, '50', 'pty_163r45mjkjw13dzej181yqrfy6', 'true', 'true', '1', 'true'),
('vty_1jex04vcgs0v1nbfwftrstsdjk', 'van', 'Van, camper or truck', 'true', 'true', '300', '2400', '457', NULL, '60', 'pty_163r45mjkjw13dzej181yqrfy6', 'true', 'true', '2', 'true'),
('vty_7ksf8em1xz6aqy3erw2gjtp1vj', 'motorcycle', 'Motorcycle', 'false', 'false', NULL, NULL, NULL, '150', '20', 'pty_163r45mjkjw13dzej181yqrfy6', 'true', 'false', '0', 'true');
insert into vessels (id, code, name, passenger_capacity, lane_cm, tall_lane_cm, normal_clearance_cm, tall_clearance_cm, bicycle_capacity, online_percent, accessibility_notes, active) values
('ves_2t8pkfstv2qxdbc6cy5gf2cjyn', 'tidewater', 'MV Tidewater', '450', '36000', '9000', '213', '457', '40', '90', 'Elevator from the car deck to the cabin, accessible restroom, level boarding for walk-on passengers.', 'true'),
('ves_3m9r565nbbzpm1xkmk4m9hy8zh', 'osprey', 'MV Osprey', '149', '14400', '3600', '213', '427', '20', '90', 'Accessible cabin and restroom on the car deck; the upper deck has stairs only.', 'true'),
('ves_4ej1hrjtprxdvfkkhwftjq0qyq', 'sandpiper', 'Sandpiper', '149', '0', '0', NULL, NULL, '24', '95', 'Level boarding at Port Madrona, a ramp at Fairwater that is steep at low tide, accessible restroom.', 'true'),
('ves_61ekbj6saa1827g6gmt82aey6h', 'dunlin', 'Dunlin', '12', '0', '0', NULL, NULL, '0', '75', 'Water taxi with one step at the gangway, open deck, no restroom.', 'true'),
('ves_72qbjphzk8n3dhcvtz22tyn3wp', 'petrel', 'Petrel', '12', '0', '0', NULL, NULL, '0', '100', 'Water taxi with one step at the gangway, open deck, no restroom.', 'true');
insert into sandbox.objects (id, object, version, doc, secret) values
('cus_rzXldDYMdMuOLrHeWJGQfWwf', 'customer', 2, '{"id": "cus_rzXldDYMdMuOLrHeWJGQfWwf", "name": null, "email": null, "phone": null, "object": "customer", "address": null, "balance": 0, "created": 1795466312, "currency": null, "discount": null, "livemode": false, "metadata": {"customer_id": "cus_2ns9sjyv6s12am2tzw6nrpmx05"}, "shipping": null, "delinquent": false, "tax_exempt": "none", "test_clock": null, "description": null, "default_source": null, "invoice_prefix": "EMV5ZCQI", "invoice_settings": {"footer": null, "custom_fields": null, "rendering_options": null, "default_payment_method": "pm_ISE81RUMh23qw5lH782Z0jRz"}, "preferred_locales": [], "next_invoice_sequence": 1}', '{}'),
('pm_ISE81RUMh23qw5lH782Z0jRz', 'payment_method', 1, '{"id": "pm_ISE81RUMh23qw5lH782Z0jRz", "card": {"brand": "visa", "last4": "4242", "checks": {"cvc_check": "unchecked", "address_line1_check": null, "address_postal_code_check": null}, "wallet": null, "country": "US", "funding": "credit", "exp_year": 2029, "networks": {"available": ["visa"], "preferred": null}, "exp_month": 12, "fingerprint": "bcbt8lYAVKHF4o4D", "display_brand": "visa", "generated_from": null, "regulated_status": "unregulated", "three_d_secure_usage": {"supported": true}}, "type": "card", "object": "payment_method", "created": 1795466312, "customer": "cus_rzXldDYMdMuOLrHeWJGQfWwf", "livemode": false, "metadata": {}, "allow_redisplay": "unspecified", "billing_details": {"name": null, "email": null, "phone": null, "tax_id": null, "address": {"city": null, "line1": null, "line2": null, "state": null, "country": null, "postal_code": null}}, "customer_account": null}', '{"behavior": "visa"}'),
('pi_tpBapNXqKygORXkCfr3jRIUt', 'payment_intent', 2, '{"id": "pi_tpBapNXqKygORXkCfr3jRIUt", "amount": 2300, "object": "payment_intent", "review": null, "source": null, "status": "succeeded", "created": 1795466316, "currency": "usd", "customer": null, "livemode": false, "metadata": {"order_id": "ord_19s8pwanb8t6m92zx7cmgc8kbv", "reference": "V9FG-NE6P", "payment_id": "pay_7mqsmknfebqxtjahrrg2khhxbv"}, "shipping": null, "processing": null, "application": null, "canceled_at": null, "description": "Ferry tickets V9FG-NE6P", "next_action": null, "on_behalf_of": null, "client_secret": "pi_tpBapNXqKygORXkCfr3jRIUt_secret_SiuegJVrmnu2tfm0HbWjdjRI", "latest_charge": "ch_BdyzCfxJqy1ZKCehhHio7N4X", "receipt_email": null, "transfer_data": null, "amount_details": {"tip": {}}, "capture_method": "automatic_async", "payment_method": "pm_cG14WjukGKZeekX4Do5f3T7m", "payment_record": null, "transfer_group": null, "amount_received": 2300, "customer_account": null, "managed_payments": null, "amount_capturable": 0, "last_payment_error": null, "setup_future_usage": null, "cancellation_reason": null, "confirmation_method": "automatic", "payment_method_types": ["card"], "statement_descriptor": null, "application_fee_amount": null, "payment_method_options": {"card": {"network": null, "installments": null, "mandate_options": null, "request_three_d_secure": "automatic"}}, "automatic_payment_methods": {"enabled": true, "allow_redirects": "always"}, "statement_descriptor_suffix": null, "allowed_payment_method_types": ["card"], "excluded_payment_method_types": null, "payment_method_configuration_details": null}', '{"confirmation": {"returnUrl": null, "usesScript": true}}'),
('pm_cG14WjukGKZeekX4Do5f3T7m', 'payment_method', 1, '{"id": "pm_cG14WjukGKZeekX4Do5f3T7m", "card": {"brand": "visa", "last4": "4242", "checks": {"cvc_check": "unchecked", "address_line1_check": null, "address_postal_code_check": null}, "wallet": null, "country": "US", "funding": "credit", "exp_year": 2034, "networks": {"available": ["visa"], "preferred": null}, "exp_month": 12, "fingerprint": "bcbt8lYAVKHF4o4D", "display_brand": "visa", "generated_from": null, "regulated_status": "unregulated", "three_d_secure_usage": {"supported": true}}, "type": "card", "object": "payment_method", "created": 1795466316, "customer": null, "livemode": false, "metadata": {}, "allow_redisplay": "unspecified", "billing_details": {"name": null, "email": null, "phone": null, "tax_id": null, "address": {"city": null, "line1": null, "line2": null, "state": null, "country": null, "postal_code": null}}, "customer_account": null}', '{"spent": true, "behavior": "visa"}'),
('ch_BdyzCfxJqy1ZKCehhHio7N4X', 'charge', 1, '{"id": "ch_BdyzCfxJqy1ZKCehhHio7N4X", "paid": true, "amount": 2300, "object": "charge", "review": null, "source": null, "status": "succeeded", "created": 1795466316, "outcome": {"type": "authorized", "reason": null, "risk_level": "normal", "risk_score": 20, "advice_code": null, "network_status": "approved_by_network", "seller_message": "Payment complete.", "network_advice_code": null, "network_decline_code": null}, "captured": true, "currency": "usd", "customer": null, "disputed": false, "livemode": false, "metadata": {"order_id": "ord_19s8pwanb8t6m92zx7cmgc8kbv", "reference": "V9FG-NE6P", "payment_id": "pay_7mqsmknfebqxtjahrrg2khhxbv"}, "refunded": false, "shipping": null, "application": null, "description": "Ferry tickets V9FG-NE6P", "receipt_url": null, "failure_code": null, "on_behalf_of": null, "fraud_details": {}, "receipt_email": null, "transfer_data": null, "payment_intent": "pi_tpBapNXqKygORXkCfr3jRIUt", "payment_method": "pm_cG14WjukGKZeekX4Do5f3T7m", "receipt_number": null, "transfer_group": null, "amount_captured": 2300, "amount_refunded": 0, "application_fee": null, "billing_details": {"name": null, "email": null, "phone": null, "tax_id": null, "address": {"city": null, "line1": null, "line2": null, "state": null, "country": null, "postal_code": null}}, "failure_message": null, "source_transfer": null, "balance_transaction": "txn_Xw1xb5UiViMpGIJHceR0a2fp", "statement_descriptor": null, "application_fee_amount": null, "payment_method_details": {"card": {"brand": "visa", "last4": "4242", "checks": {"cvc_check": "pass", "address_line1_check": null, "address_postal_code_check": null}, "wallet": null, "country": "US", "funding": "credit", "mandate": null, "network": "visa", "exp_year": 2034, "exp_month": 12, "fingerprint": "bcbt8lYAVKHF4o4D", "installments": null, "network_token": {"used": false}, "three_d_secure": null, "regulated_status": "unregulated", "amount_authorized": 2300, "authorization_code": null, "transaction_link_id": null, "network_transaction_id": null, "electronic_commerce_indicator": null}, "type": "card"}, "failure_balance_transaction": null, "statement_descriptor_suffix": null, "calculated_statement_descriptor": "TEST PAYMENT"}', '{}');
