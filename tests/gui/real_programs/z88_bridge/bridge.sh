#!/bin/sh
# Two load cases of the bridge with Z88 (Debian package z88).
# Start it in the folder of the deck: z88i1.txt (structure), case1.txt, case2.txt (loads and supports),
# z88i3.txt, z88.dyn. Everything Z88 says about the two cases is collected in results.txt.
rm -f results.txt
for lc in 1 2; do
  cp case$lc.txt z88i2.txt
  { z88f -c && z88d && z88e ; } > z88_$lc.log 2>&1 || exit 1
  echo "========== LOAD CASE $lc ==========" >> results.txt
  cat z88o2.txt z88o3.txt z88o4.txt >> results.txt
  echo >> results.txt
done
echo "bridge: 2 load cases done, see results.txt"
