#!/bin/sh
# Trains the luma network of `best` from nothing: luma.sh CACHE OUT
#
# CACHE is a folder of clips.py. OUT gets the samples L0, L1, L2, the networks of each round with
# their logs, and luma.txt. Steps whose result exists in OUT are skipped.
set -eu
cache=$1 out=$2
here=$(dirname "$0")
networks=$here/../../src/deinterlace/networks
mkdir -p "$out"

# Samples OUT/$1 by dump.py with the other arguments.
dump() {
    to=$out/$1
    shift
    [ -d "$to" ] && return
    python3 "$here/dump.py" --cache "$cache" --out "$to.part" --plane luma \
        --spatial "$networks/best_spatial.txt" "$@"
    mv "$to.part" "$to"
}

# Networks OUT/$1_SEED.txt from the samples $2 by fusion.py with the other arguments.
train() {
    tag=$1 samples=$2
    shift 2
    [ -e "$out/$tag.log" ] && return
    python3 "$here/fusion.py" --plane luma --samples "$samples" --out "$out/part" --tag "$tag" "$@"
    mv "$out/part/$tag"* "$out"
}

# The network with the highest mean gain of the trainings named.
best() {
    for tag in "$@"; do
        awk -v name="$out/$tag" '/^seed/ { n = name "_" $2 ".txt" } /^  trained/ { print $3, n }' \
            "$out/$tag.log"
    done | sort -k1,1gr | head -n 1 | cut -d ' ' -f 2
}

# References are spatial pictures. A third of the clips is enough for the first network.
dump L0 --every 3
train a "$out/L0" --seeds 1,2,3,4 --steps 6000

# References are results of the network before.
dump L1 --luma "$(best a)"
train b "$out/L1" --seeds 1,2,3,4 --steps 8000
train b_from_a "$out/L1" --seeds 1 --steps 8000 --from "$(best a)"

dump L2 --luma "$(best b b_from_a)" --seed 2 --low 0 --fields 12
train c "$out/L1,$out/L2" --seeds 1 --steps 12000 --rate 1.5e-3 --from "$(best b b_from_a)"
cp "$(best c)" "$out/luma.txt"
