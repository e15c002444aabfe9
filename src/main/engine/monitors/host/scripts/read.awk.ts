import { READ_HOST } from './read-host.awk.ts';
import { READ_PROCESSES } from './read-processes.awk.ts';
import { READ_SOCKETS } from './read-sockets.awk.ts';

/**
 * Reads the host's counters at each trigger, and prints a block of lines, described in docs/monitors.md. Needs nothing beyond POSIX awk: tried with
 * mawk, gawk, BusyBox and the original awk. Arguments: roots of procfs and sysfs, names of processes.
 *
 * Input: \`= CLOCK HZ PAGE PID [forks|PID]\` first (the clock minus the uptime in hundredths of a second, ticks a second, bytes of a page, the
 * process that paces, and whether it forks in order to wait, or the process that waits for it); lists in several lines, between \`p(\` and \`p)\`;
 * \`.\`: look now.
 *
 * It is cheap because it hardly forks, and passes on text that the kernel has formatted without parsing it; it only searches it for single lines.
 * Lines whose words are needed become $0, which gawk splits only as far as needed, and no awk into an array. Regular expressions are left to rare
 * cases. Numbers are passed on as text, as some awks print large ones with six digits. An mawk that reads from a pipe without delay reads by lines
 * whatever RS is, and cuts them into pieces of 4 KB (only the line of the interrupts is longer).
 */
export const READ = `${READ_HOST}
${READ_PROCESSES}
${READ_SOCKETS}
# Run time of a process in ticks: from nanoseconds, where the kernel counts them.
function ran(pid) {
  if (first(proc "/" pid "/schedstat") && $3 != "") return $1 / 1000000000 * hz
  return look(pid) ? p_user + p_system - p_children : 0
}

function read_own_cost(   ticks) {
  ticks = ran("self")
  if (ticks == 0) return
  if (pacer != "-") {
    ticks += ran(pacer)
    # What it starts in order to wait.
    if (waiter == "forks") { if (look(pacer)) ticks += p_children }
    else if (waiter != "") ticks += ran(waiter)
  }
  # What lists threads and connections.
  if (look("self")) ticks += p_children
  block = block "c " sprintf("%.4f", ticks) "\\n"
}

# --- One look --------------------------------------------------------------------------------------------------------------------

function look_around() {
  uptime = word(proc "/uptime")
  if (uptime == "" || uptime - last_look < 0.5) return
  last_look = uptime
  facts = looks % 60 == 0
  now = sprintf("%.2f", clock + uptime)
  block = "@ " now "\\n"
  read_stat()
  if (facts) {
    cores = split(block, no_matter, "\\ncpu[0-9]") - 1
    block = block "f " hz " " page "\\n"
  }
  read_memory()
  read_pressure()
  read_disks()
  read_nets()
  read_tcp()
  read_frequency()
  read_temperature()
  if (scanned) find_all()
  find_new()
  read_processes()
  read_quotas()
  read_sockets()
  read_own_cost()
  # Its length and its time once more: nothing of it is missing, and its end is not that of another.
  print block ". " length(block) " " now
  fflush()
  looks++
  scanned = 0
}

function take_list(letter, rest,   words, count, i) {
  count = split(rest, words, " ")
  for (i = 1; i <= count; i++) {
    if (letter == "p") listed[words[i]] = 1
    else if (letter == "t") zones[words[i]] = 1
    else if (letter == "a") elsewhere[words[i]] = 1
    else if (letter == "s") { if (words[i + 1] + 0 > 0) speeds[words[i]] = words[i + 1]; i++ }
    else if (words[i] !~ /\\*$/) {
      # In sysfs a slash of a name is written as an exclamation mark.
      sub(/.*\\//, "", words[i])
      gsub(/!/, "/", words[i])
      disks[words[i]] = known_disks = 1
    }
  }
}

# A name of processes: \`job:NAME\` only those of jobs, \`at:PORT,PORT:NAME\` of several servers those that listen there. \`server:PORT,PORT\`,
# \`clients:PORT,PORT\`: connections to a server that listens there, and those of its clients.
function want(told,   words, ports, count, name) {
  name = told
  if (told ~ /^(server|clients):/) {
    split(told, words, ":")
    peers[words[1]] = "," words[2] ","
    return
  }
  if (substr(told, 1, 4) == "job:") name = substr(told, 5)
  else if (substr(told, 1, 3) == "at:") {
    split(told, words, ":")
    name = substr(told, length(words[2]) + 5)
  }
  wanted[substr(name, 1, 15)] = clean(name)
  is_wanted[clean(name)] = 1
  if (name == told) return
  if (words[2] == "") { of_jobs[clean(name)] = 1; return }
  ports_of[clean(name)] = " "
  for (count = split(words[2], ports, ","); count > 0; count--) ports_of[clean(name)] = ports_of[clean(name)] sprintf("%04X", ports[count]) " "
}

function begin_list(letter,   each) {
  if (letter == "p") for (each in listed) delete listed[each]
  if (letter == "s") for (each in speeds) delete speeds[each]
  if (letter == "a") for (each in elsewhere) delete elsewhere[each]
  if (letter == "b") { known_disks = 0; for (each in disks) delete disks[each] }
}

BEGIN {
  proc = ARGV[1]
  sys = ARGV[2]
  # The kernel keeps fifteen letters of a name.
  for (i = split("sh bash dash ash busybox env taskset sudo", told, " "); i > 0; i--) shell_names[told[i]] = 1
  for (i = 3; i < ARGC; i++) want(ARGV[i])
  ARGC = 1
  pressures["cpu"] = pressures["memory"] = pressures["io"] = 1
  for (;;) {
    if ((getline line) <= 0) break
    letter = substr(line, 1, 1)
    if (letter == ".") look_around()
    else if (letter == "=") {
      split(line, told, " ")
      clock = told[2] / 100; hz = told[3]; page = told[4]; pacer = told[5]; waiter = told[6]
      reader = word(proc "/self/stat")
      # Kernels before 2.6.33 tell a name only with the numbers.
      named = first(proc "/self/comm")
    }
    else if (substr(line, 2, 1) == "(") begin_list(letter)
    else if (substr(line, 2, 1) != ")") take_list(letter, substr(line, 2))
    else if (letter == "p") scanned = 1
    else if (letter == "t") find_sensors()
  }
}
`;
