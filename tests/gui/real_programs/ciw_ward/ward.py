#!/usr/bin/env python3
"""ward.py - bed ward with two classes of patients (urgent before routine).

usage:  ward.py ward.cfg            needs: pip install ciw     (JvdB, 2024)
"""
import sys
import time
from pathlib import Path

import ciw
import numpy as np

t0 = time.time()
cfg = {}
for line in Path(sys.argv[1]).read_text().splitlines():
    line = line.split('#')[0].split('!')[0].strip()
    if not line or line.startswith('['):
        continue
    k, v = [s.strip() for s in line.split('=', 1)]
    cfg[k.lower()] = v

lam = float(cfg['arrivals'])          # per hour, week average
stay = float(cfg['mean_stay'])        # h
cvs = float(cfg.get('cv_stay', 0.9))
beds = int(float(cfg['beds']))
urg = float(cfg['share_urgent'])
days = int(float(cfg['days']))
warm = int(float(cfg.get('warmup', 28)))
wl = int(float(cfg.get('waiting_list', 12)))
seed = int(float(cfg.get('seed', 0)))
if seed == 0:
    seed = int(time.time_ns() % 2**31)
prof = np.array([float(x) for x in cfg['week_profile'].split()])
prof = prof / prof.mean()

if not (0 < urg < 1):
    print(' *** ERROR: share_urgent must lie between 0 and 1')
    sys.exit(3)

horizon = (warm + days + 14) * 24.0
s2 = np.log(1 + cvs**2)
mu = np.log(stay) - s2 / 2
ends = [24.0 * (i + 1) for i in range(7)]

def arr(p):
    return ciw.dists.PoissonIntervals(rates=list(lam * p * prof), endpoints=ends, max_sample_date=horizon)

ciw.seed(seed)
N = ciw.create_network(
    arrival_distributions={'urgent': [arr(urg)], 'routine': [arr(1 - urg)]},
    service_distributions={c: [ciw.dists.Lognormal(mu, np.sqrt(s2))] for c in ('urgent', 'routine')},
    priority_classes={'urgent': 0, 'routine': 1},
    number_of_servers=[beds], queue_capacities=[wl])
Q = ciw.Simulation(N)
Q.simulate_until_max_time(horizon - 1e-6)
rec = Q.get_all_records(only=['service', 'rejection'])
cur = [(i.service_start_date, horizon) for i in Q.nodes[1].all_individuals if i.service_start_date is not False]

a, b = warm * 24.0, (warm + days) * 24.0
print('=' * 66)
print(f'  W A R D   v2.3      discrete-event simulation of a bed ward (ciw {ciw.__version__})')
print('=' * 66)
print(f' deck            : {sys.argv[1]}')
print(f' arrivals        : {lam:9.4f} /h     mean stay : {stay:8.3f} h')
print(f' beds            : {beds:4d}             share urgent : {urg:.4f}')
print(f' seed            : {seed}')
print(f' simulated       : {days} d after {warm} d warm-up')
print()
serv = [r for r in rec if r.record_type == 'service' and a <= r.arrival_date < b]
rej = [r for r in rec if r.record_type == 'rejection' and a <= r.arrival_date < b]
print(' WAITING TIME (h)')
print(' class      patients      mean      q50      q90   turned away')
print(' ' + '-' * 62)
for c in ('urgent', 'routine'):
    w = np.array([r.waiting_time for r in serv if r.customer_class == c])
    away = sum(r.customer_class == c for r in rej)
    print(f' {c:9} {len(w):9d} {w.mean():9.4f} {np.quantile(w, .5):8.3f} {np.quantile(w, .9):8.3f} {away:9d}')
print()
allr = [r for r in rec if r.record_type == 'service']
st = np.array([r.service_start_date for r in allr] + [x for x, _ in cur])
en = np.array([r.service_end_date for r in allr] + [y for _, y in cur])
edges = a + 24.0 * np.arange(days + 1)
# bed hours before each edge
cum = np.array([np.sum(np.clip(np.minimum(en, t) - st, 0, None)) for t in edges])
occ = np.diff(cum) / 24.0
print(' BEDS BY DAY OF THE WEEK')
print(' day   arrivals   beds in use   utilisation (%)   turned away')
print(' ' + '-' * 62)
at = np.array([r.arrival_date for r in serv] + [r.arrival_date for r in rej])
rt = np.array([r.arrival_date for r in rej])
for d, name in enumerate(('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun')):
    o = occ[d::7] if warm % 7 == 0 else occ[(d - warm) % 7::7]
    came, away = (int(np.sum((times // 24) % 7 == d)) for times in (at, rt))
    print(f' {name:5} {came:8d} {o.mean():13.3f} {100 * o.mean() / beds:17.3f} {away:13d}')
print(' ' + '-' * 62)
print(f' all   {len(at):8d} {occ.mean():13.3f} {100 * occ.mean() / beds:17.3f} {len(rt):13d}')
print()
print(f' normal end of WARD, {time.time() - t0:.2f} s')
