# SPDX-License-Identifier: Apache-2.0
"""A Slurm cluster on this host: one controller and two daemons, with its own authentication, in a temporary folder."""

import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel")

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdSpoolDir={folder}/spool.%n
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdTimeout=5
ReturnToService=2
KillWait=3
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n[0-1] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """The programs that this host lacks."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if shutil.which(name, path=path) is None]


def free_ports(count):
    """Consecutive ports that nothing uses."""
    for first in range(21000, 60000, 100):
        sockets = []
        try:
            for port in range(first, first + count):
                one = socket.socket()
                sockets.append(one)
                one.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
    raise RuntimeError("no free ports")


def ancestors_and_self(process):
    """The process and the processes that started it."""
    chain = []
    while process > 1:
        chain.append(process)
        try:
            stat = pathlib.Path(f"/proc/{process}/stat").read_text()
        except OSError:
            break
        process = int(stat.rsplit(")", 1)[1].split()[1])
    return chain


def send(number, processes):
    """Sends a signal; a process that has ended is no error."""
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


class Cluster:
    """Starts all daemons; `close` ends them and every job."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        (self.folder / "state").mkdir()
        first = free_ports(3)
        self.host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(host=self.host, folder=self.folder, user=getpass.getuser(), port=first, first=first + 1,
                                 last=first + 2))
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        try:
            self.start_daemons(key)
        except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
            self.close()
            raise RuntimeError(str(error)) from error

    def start_daemons(self, key):
        self.run("munged", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                 f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                 f"--seed-file={self.folder}/munged.seed", "--force")
        self.run("slurmctld")
        for node in ("n0", "n1"):
            self.start_node(node)

    def start_node(self, node):
        """Returns when the controller can use it."""
        self.run("slurmd", "-N", node)
        self.wait_for(lambda: self.run("sinfo", "-h", "-n", node, "-o", "%T").strip() in ("idle", "allocated"), 90)

    def run(self, *words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stdout}")
        return done.stdout

    @staticmethod
    def wait_for(condition, seconds):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError("the cluster did not reach the expected state")
            time.sleep(0.1)

    def jobs(self):
        """Numbers of the jobs that wait or run."""
        return sorted(set(self.run("squeue", "-h", "-o", "%F").split()))

    def processes_of(self, node):
        """Every process of a node's jobs."""
        found = set()
        for entry in pathlib.Path("/proc").iterdir():
            try:
                environment = (entry / "environ").read_bytes().split(b"\0") if entry.name.isdigit() else []
            except OSError:
                continue
            if f"SLURMD_NODENAME={node}".encode() in environment and f"SLURM_CONF={self.folder}/slurm.conf".encode() in environment:
                found.add(int(entry.name))
        return found

    def with_supervisors(self, node):
        """Every process of a node's jobs, and the supervisors that started them."""
        found = self.processes_of(node)
        for process in list(found):
            for each in ancestors_and_self(process):
                try:
                    if pathlib.Path(f"/proc/{each}/comm").read_text().startswith("slurmstepd"):
                        found.add(each)
                except OSError:
                    pass
        return found

    def kill_node(self, node):
        """The node is gone: its daemon, and all processes of its jobs with their supervisors. All of them stop before
        the first is killed: on a node without power no process sees another one end and stores a result for it."""
        send(signal.SIGKILL, {int((self.folder / f"slurmd.{node}.pid").read_text())})
        stopped = set()
        while started := self.with_supervisors(node) - stopped:
            send(signal.SIGSTOP, started)
            stopped |= started
        send(signal.SIGKILL, stopped)

    def close(self):
        subprocess.run(["scancel", "--user", getpass.getuser()], check=False, timeout=60)
        for name in ("slurmd.n0.pid", "slurmd.n1.pid", "slurmctld.pid", "munged.pid"):
            try:
                os.kill(int((self.folder / name).read_text()), signal.SIGKILL)
            except (OSError, ValueError):
                pass
        for node in ("n0", "n1"):
            send(signal.SIGKILL, self.processes_of(node))
