#!/bin/bash
# start a private Slurm of two nodes on loopback: up.sh DIR [PORT]; needs slurm-wlm, munge; run as root; PORT, +1 and +2 are used
set -e
PORT=${2:-16817}; CPUS=${SLURM_TEST_CPUS:-2}  # of each node
D=$(realpath -m "${1:?usage: up.sh FOLDER}"); mkdir -p $D/{state,spool,log}; chmod 755 $D; chmod 711 $(dirname $D) 2>/dev/null || true
[ -f $D/munge.key ] || (umask 077; dd if=/dev/urandom of=$D/munge.key bs=128 count=1 status=none)
cat > $D/slurm.conf <<C
ClusterName=testbox
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmdTimeout=10
InactiveLimit=0
SlurmctldPort=$PORT

AuthType=auth/munge
AuthInfo=socket=$D/munge.sock
CredType=cred/munge
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool/%n
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd.%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$D/log/jobcomp.txt
MinJobAge=300
KillWait=2
OverTimeLimit=0
MaxArraySize=10001
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=localhost Port=$((PORT + 1)) CPUs=$CPUS RealMemory=16000
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname=localhost Port=$((PORT + 2)) CPUs=$CPUS RealMemory=16000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE DefMemPerCPU=200 State=UP
C
export SLURM_CONF=$D/slurm.conf
/usr/sbin/munged --force --key-file=$D/munge.key --socket=$D/munge.sock --pid-file=$D/munged.pid --log-file=$D/log/munged.log --seed-file=$D/munge.seed
/usr/sbin/slurmctld -f $D/slurm.conf
mkdir -p $D/spool/n1 $D/spool/n2
for n in n1 n2; do /usr/sbin/slurmd -f $D/slurm.conf -N $n; done
for i in $(seq 100); do sinfo -h -o %T 2>/dev/null | grep -q idle && break; sleep 0.1; done
sinfo
