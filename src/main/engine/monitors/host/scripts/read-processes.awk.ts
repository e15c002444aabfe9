/**
 * Processes: sums by name, which grow as long as one of that name lives, whichever of them come and go. Uses what is in `read-host.awk.ts`.
 */
export const READ_PROCESSES = `# --- Processes -------------------------------------------------------------------------------------------------------------------

# Reads a process into p_*; 0 if there is none. Its name may hold blanks and parentheses: only what follows the last one has fixed places.
function look(pid,   text, parts, open) {
  text = first(proc "/" pid "/stat")
  # A line end in its name.
  if (text != "" && text !~ /\\) [A-Za-z] /) text = substr(slurp(proc "/" pid "/stat"), 2)
  if (!match(text, /^[0-9]+ \\(.*\\) /)) return 0
  open = index(text, "(")
  p_name = substr(text, open + 1, RLENGTH - open - 2)
  # What Node.js calls itself.
  if (p_name == "MainThread") p_name = "node"
  if (split(substr(text, RLENGTH + 1), parts, " ") < 22) return 0
  p_parent = parts[2]
  # With those of its children that have ended and been waited for: what a connection's process took is not lost.
  p_user = parts[12] + parts[14]
  p_system = parts[13] + parts[15]
  p_children = parts[14] + parts[15]
  p_threads = parts[18]
  p_start = parts[20]
  p_rss = parts[22] * page / 1024
  return 1
}

# Takes what look() has read of a process that is followed: 1 user, 2 system, 3 read, 4 written, 5 and 6 switches.
function take(pid,   open) {
  parent[pid] = p_parent
  threads[pid] = p_threads
  rss[pid] = p_rss
  value[pid, 1] = p_user
  value[pid, 2] = p_system
  if (!(pid in no_io)) {
    whole = slurp(proc "/" pid "/io")
    # Only its owner and root may read it.
    if (whole == "") no_io[pid] = 1
    else {
      value[pid, 3] = behind("read_bytes:")
      value[pid, 4] = behind("write_bytes:")
    }
  }
  # The kernel tells switches by thread only.
  if (p_threads == 1 && members[group[pid]] <= 16) {
    whole = slurp(proc "/" pid "/status")
    value[pid, 5] = behind("voluntary_ctxt_switches:")
    value[pid, 6] = behind("nonvoluntary_ctxt_switches:")
  }
}

# Begins to follow what look() has read. The past of a process that is found late is not taken for what it did this second.
function follow(pid, name,   k, late) {
  group[pid] = name
  start[pid] = p_start
  members[name]++
  take(pid)
  late = shown[name] && uptime - p_start / hz >= 2
  for (k = 1; k <= 6; k++) before[pid, k] = late ? value[pid, k] + 0 : 0
  read_shared(pid)
}

# Forgets a process. What it did stays in the sum, or comes back in the sum of its parent, which has waited for it.
function forget(pid,   name, k, inherited) {
  name = group[pid]
  inherited = (parent[pid] in group) && group[parent[pid]] == name
  for (k = 1; k <= 6; k++) {
    if (inherited && k <= 4) ended[name, k] -= before[pid, k]
    else ended[name, k] += value[pid, k] - before[pid, k]
    delete value[pid, k]
    delete before[pid, k]
  }
  delete group[pid]; delete start[pid]; delete parent[pid]; delete threads[pid]; delete rss[pid]; delete shared[pid]; delete no_io[pid]
  if (--members[name] > 0) return
  # The next one of this name begins again.
  for (k = 1; k <= 6; k++) delete ended[name, k]
  delete shown[name]
  delete members[name]
}

# A number may belong to a thread: it then shows its whole process.
function is_leader(pid) {
  whole = slurp(proc "/" pid "/status")
  return behind("Tgid:") == pid
}

function is_shell(name) { return name ~ /^(sh|bash|dash|ash|busybox|env|taskset|sudo)$/ }

function consider(pid) {
  if (pid in group || !(p_name in wanted) || !is_leader(pid)) return
  follow(pid, wanted[p_name])
}

# New ones, by the numbers that were given out since the last look; and shells, which become something else under their number.
function find_new(   parts, pid, name, missing, most, last) {
  if (split(first(proc "/loadavg"), parts, " ") < 5) return
  block = block "l " parts[1] "\\n"
  last = parts[5] + 0
  for (name in wanted) if (!(wanted[name] in members)) missing = 1
  # A session that starts its tools starts hundreds of processes: what is left over is looked at in the next seconds.
  most = 256
  # All numbers were given out: they begin again at 300.
  if (last < seen) seen = last < 300 ? last : 299
  if (!seen) seen = last
  # A host that always starts more than that is not followed.
  if (last - seen > 8 * most) seen = last - most
  for (pid = seen + 1; pid <= last && pid <= seen + most; pid++) maybe[pid] = 2
  seen = pid - 1
  if (missing) for (pid in shells) if (!(pid in maybe)) maybe[pid] = 0
  for (pid in maybe) {
    if (!look(pid)) { delete maybe[pid]; continue }
    consider(pid)
    # Only a shell, or a copy of it, will become something else.
    if (--maybe[pid] < 0 || pid in group || !is_shell(p_name)) delete maybe[pid]
  }
}

# Every process of the host, now and then: those wanted, and whatever else takes CPU.
function find_all(   pid, name, used, usage, users, span) {
  for (pid in shells) delete shells[pid]
  span = uptime - last_scan
  shell_count = 0
  for (pid in listed) {
    if (pid == reader || pid == pacer || !look(pid)) continue
    consider(pid)
    # A tool that waits to start together with others is a shell until then, for a few minutes at most.
    if (is_shell(p_name) && uptime - p_start / hz < 300 && shell_count++ < 16) shells[pid] = 1
    if (pid in group && group[pid] in is_wanted) continue
    used = p_user + p_system - ((pid in used_before) && born[pid] == p_start ? used_before[pid] : 0)
    used_before[pid] = p_user + p_system
    born[pid] = p_start
    if (used > 0 && last_scan) {
      name = clean(p_name)
      usage[name] += used
      users[name] = users[name] " " pid
    }
  }
  for (pid in used_before) if (!(pid in listed)) { delete used_before[pid]; delete born[pid] }
  for (pid in group) read_shared(pid)
  if (last_scan) follow_strangers(usage, users, span * hz)
  last_scan = uptime
}

function read_shared(pid,   parts) {
  if (split(first(proc "/" pid "/statm"), parts, " ") >= 3) shared[pid] = parts[3] * page / 1024
}

# At most five others, from 2 % of a core on, until they were quiet for three scans.
function follow_strangers(usage, users, ticks,   name, best, pid, i, count, pids) {
  for (name in strangers) {
    if (!(name in members) || (usage[name] < 0.005 * ticks && ++strangers[name] >= 3)) {
      for (pid in group) if (group[pid] == name) gone[pid] = 1
      for (pid in gone) { forget(pid); delete gone[pid] }
      delete strangers[name]
      continue
    }
    if (usage[name] >= 0.005 * ticks) strangers[name] = 0
    stranger_count++
  }
  while (stranger_count < 5) {
    best = ""
    for (name in usage)
      if (usage[name] >= 0.02 * ticks && !(name in strangers) && !(name in is_wanted) && (best == "" || usage[name] > usage[best])) best = name
    if (best == "") break
    strangers[best] = 0
    stranger_count++
  }
  stranger_count = 0
  for (name in strangers) {
    count = split(users[name], pids, " ")
    for (i = 1; i <= count && members[name] < 8; i++)
      if (!(pids[i] in group) && look(pids[i])) follow(pids[i], name)
    # Asking for the members of a name that has none makes an entry.
    if (members[name] + 0 == 0) delete members[name]
  }
}

function add_up(pid, name,   k, parts) {
  for (k = 1; k <= 6; k++) sum[name, k] += value[pid, k] - before[pid, k]
  sum_threads[name] += threads[pid]
  sum_rss[name] += rss[pid] - (members[name] > 1 ? shared[pid] : 0)
  if (members[name] > 1 && shared[pid] > most_shared[name]) most_shared[name] = shared[pid]
  if (pid in no_io) hidden_io[name] = 1
  if (threads[pid] != 1) several[name] = 1
}

function read_processes(   pid, name, count, slice) {
  for (pid in group) count++
  # Of very many a part each second, so that an idle thousand costs no more than a few.
  slice = int((count + 127) / 128)
  for (pid in group) {
    if (slice > 1 && (pid + looks) % slice) continue
    if (!look(pid) || p_start != start[pid]) gone[pid] = 1
    else take(pid)
  }
  for (pid in gone) { forget(pid); delete gone[pid] }
  for (pid in group) add_up(pid, group[pid])
  for (name in members) {
    block = block "x " name " " total(name, 1) " " total(name, 2) " " whole_number(sum_rss[name] + most_shared[name]) " " sum_threads[name] " " \\
      (name in hidden_io ? "- -" : total(name, 3) " " total(name, 4)) " " \\
      (name in several || members[name] > 16 ? "- -" : total(name, 5) " " total(name, 6)) "\\n"
    shown[name] = 1
    delete sum_rss[name]; delete sum_threads[name]; delete most_shared[name]; delete hidden_io[name]; delete several[name]
  }
}

function total(name, k,   result) {
  result = sum[name, k] + ended[name, k]
  delete sum[name, k]
  return whole_number(result > 0 ? result : 0)
}
`;
