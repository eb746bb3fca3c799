#!/bin/bash
# Ar/Kr at three densities: sh run.sh
# prints the averages of gmx energy, energy per mole (150 atoms)
set -e
for rho in 20.5 12.7 7.6; do
    gmx -quiet grompp -f md.mdp -c conf_$rho.gro -p topol.top -o run_$rho.tpr -po out.mdp >> grompp.log 2>&1
    gmx -quiet mdrun -nt 1 -s run_$rho.tpr -deffnm run_$rho >> mdrun.log 2>&1
    echo "### density $rho mol/l"
    printf "Potential\nPressure\n" | gmx -quiet energy -f run_$rho.edr -b 10 -nmol 150 -o energy_$rho.xvg 2>> energy.log
done
