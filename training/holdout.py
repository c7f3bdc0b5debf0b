#!/usr/bin/env python3
"""Gains of integer networks on the samples of a group that they were not trained on.

    python3 holdout.py --samples FOLDER/chroma --groups B FILE [FILE ...]
"""
import argparse

import numpy as np

import network
from data import Data
from experiment import summary
from features import INPUTS


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--samples', required=True)
    ap.add_argument('--groups', default='B')
    ap.add_argument('--gate', type=int, default=0)
    ap.add_argument('file', nargs='+')
    o = ap.parse_args()
    data = Data(o.samples, range(INPUTS), o.groups, gate=o.gate)
    for path in o.file:
        q = network.load(path)
        d = network.infer(q, data.table[:, :INPUTS].T) - data.table[:, -1]
        errors = np.add.reduceat(d.astype(np.float64) ** 2, data.starts) / (data.ends - data.starts)
        gain = data.gains(errors[None])[0]
        print(summary(path.split('/')[-1], gain, data.info, np.ones(len(gain), bool)))
        low = np.argsort(gain)[:6]
        print('   lowest:', ', '.join(f"{data.info[j]['label']} {gain[j]:+.2f}" for j in low),
              flush=True)


if __name__ == '__main__':
    main()
