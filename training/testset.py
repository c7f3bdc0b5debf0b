"""Development aid: sample tables of the open corpus, for monitoring."""
import sys, os, json, glob
import numpy as np
import samples, evaluate
corpus, out = sys.argv[1:3]
os.makedirs(out + '/luma', exist_ok=True); os.makedirs(out + '/chroma', exist_ok=True)
samples.FIELDS = 12
for path in sorted(glob.glob(corpus + '/A_*.y4m')):
    case = os.path.basename(path)[2:-4]
    if '420p1' in case or '_422' in case or 'bff' in case: continue
    bff, planes = evaluate.read_y4m(path); targets = evaluate.read_y4m(f"{corpus}/gt_{case.split('_42')[0]}_420.y4m")[1]
    r = np.random.default_rng(1)
    for kind, part, n in (('luma', slice(0, 1), 60000), ('chroma', slice(1, 3), 40000)):
        table = samples.sample(planes[part], targets[part], n, False, r)
        np.save(f'{out}/{kind}/{case}.npy', table)
        json.dump(dict(name=case, source=case, group='T', kind='test', low='lpf' in case), open(f'{out}/{kind}/{case}.json', 'w'))
    print(case, flush=True)
