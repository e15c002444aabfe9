/**
 * Processes: sums by name, for the job's own tool and for the measured server, which grow as long as one process of that name lives, whichever of
 * them come and go. Uses functions of `read-host.awk.ts`.
 */
export const READ_PROCESSES = `# --- Processes -------------------------------------------------------------------------------------------------------------------

# Reads a process; 0 if there is none. Numbers are at fixed places of $0 then, from the third word on.
function read_process(pid,   begin, end, at) {
  if (!first(proc "/" pid "/stat")) return 0
  begin = index($0, "(")
  end = index($0, ") ")
  p_name = substr($0, begin + 1, end - begin - 1)
  # Most names are one word, with all numbers behind it.
  if (end && length($0) - end > 40 && !index(p_name, " ") && !index(substr($0, end + 1), ")")) return 1
  # A name may hold blanks, parentheses and line ends: only what follows the last parenthesis has fixed places.
  whole = substr(slurp(proc "/" pid "/stat"), 2)
  end = 0
  while ((at = index(substr(whole, end + 1), ") "))) end += at
  if (!end) return 0
  p_name = substr(whole, begin + 1, end - begin - 1)
  $0 = pid " () " substr(whole, end + 2)
  return 1
}

# Takes what read_process() has read into p_*; 0 if something is missing.
function understand() {
  if ($24 == "") return 0
  # What Node.js calls itself.
  if (p_name == "MainThread") p_name = "node"
  p_state = $3
  p_parent = $4
  p_session = $6
  p_faults = $12 + $13
  # With those of its children that have ended and been waited for: what a connection's process took is not lost.
  p_user = $14 + $16
  p_system = $15 + $17
  p_children = $16 + $17
  p_own = $14 + $15
  p_threads = $20
  p_start = $22
  p_rss = $24 * page / 1024
  return 1
}

function look(pid) { return read_process(pid) && understand() }

# A sum of a name grows by what one of its processes did since it was read before: what 'whole' has behind the label.
function grow(sums, before, name, pid, label,   now) {
  now = behind(label) + 0
  sums[name] += now - before[pid]
  before[pid] = now
}

# Takes what look() has read of a process that is followed.
function take(pid,   name) {
  name = group[pid]
  parent[pid] = p_parent
  threads[pid] = p_threads
  stopped[pid] = p_state == "T"
  if ((name in of_jobs) && p_threads == 1) see_thread(pid, name, p_own)
  fault_sum[name] += p_faults - faults[pid]
  faults[pid] = p_faults
  rss[pid] = p_rss
  user_sum[name] += p_user - user[pid]
  user[pid] = p_user
  system_sum[name] += p_system - system_of[pid]
  system_of[pid] = p_system
  if (!(pid in no_io)) {
    whole = slurp(proc "/" pid "/io", "read_bytes:")
    # Only its owner and root may read it.
    if (whole == "") no_io[pid] = 1
    else {
      grow(read_sum, got, name, pid, "read_bytes:")
      grow(write_sum, put, name, pid, "write_bytes:")
    }
  }
  # The kernel tells switches by thread only.
  if (p_threads == 1 && members[name] <= 16) {
    whole = slurp(proc "/" pid "/status", "voluntary_ctxt_switches:")
    # One that ended a moment ago has none any more, and still did what it did.
    if (whole != "") {
      grow(wait_sum, waits, name, pid, "voluntary_ctxt_switches:")
      grow(forced_sum, forced, name, pid, "nonvoluntary_ctxt_switches:")
    }
  }
}

# Begins to follow what look() has read. The past of a process that is found late is not taken for what it did this second.
function follow(pid, name,   late) {
  group[pid] = name
  start[pid] = p_start
  members[name]++
  late = shown[name] && uptime - p_start / hz >= 2
  take(pid)
  if (late) {
    user_sum[name] -= user[pid]; system_sum[name] -= system_of[pid]
    read_sum[name] -= got[pid]; write_sum[name] -= put[pid]; fault_sum[name] -= faults[pid]
    wait_sum[name] -= waits[pid]; forced_sum[name] -= forced[pid]
  }
  read_shared(pid)
  if (members[name] == 1 && (name in is_wanted)) find_quota(pid, name)
}

# Of a tool the thread that takes most, percent of a core: it may be full while others rest. 'used': its ticks.
function see_thread(key, name, used,   part) {
  if ((key in thread_ticks) && uptime > thread_seen[key]) {
    part = 100 * (used - thread_ticks[key]) / hz / (uptime - thread_seen[key])
    if (part >= 50) hot_threads[key] = 1
    else delete hot_threads[key]
    if (!(name in busiest) || part > busiest[name]) busiest[name] = part
  }
  thread_ticks[key] = used
  thread_seen[key] = uptime
}

function forget_threads(pid,   i, ids) {
  for (i = split(thread_list[pid], ids, " "); i > 0; i--) forget_thread(pid "/task/" ids[i])
  forget_thread(pid)
}

function forget_thread(key) { delete thread_ticks[key]; delete thread_seen[key]; delete hot_threads[key] }

# No awk can list a folder: a process does, when the number of threads has changed, and of a tool that always starts more ever less often. Of many
# threads a part is looked at in each second, and all that are busy.
function read_threads(pid, name,   i, count, ids, turns, key) {
  if (threads[pid] != listed_threads[pid] && looks >= list_again[pid]) {
    list_gap[pid] = list_gap[pid] ? (list_gap[pid] < 16 ? 2 * list_gap[pid] : 16) : 1
    list_again[pid] = looks + list_gap[pid]
    list_threads(pid)
  }
  count = split(thread_list[pid], ids, " ")
  turns = int((count + 15) / 16)
  for (i = 1; i <= count; i++) {
    key = pid "/task/" ids[i]
    if (turns > 1 && !(key in hot_threads) && (i + looks) % turns) continue
    if (read_process(key)) see_thread(key, name, $14 + $15)
    # Another may have taken its place.
    else { forget_thread(key); listed_threads[pid] = 0 }
  }
}

function list_threads(pid,   i, ids, now, command, id) {
  command = "ls " proc "/" pid "/task 2>/dev/null"
  now = " "
  while ((command | getline id) > 0) now = now id " "
  close(command)
  for (i = split(thread_list[pid], ids, " "); i > 0; i--) if (!index(now, " " ids[i] " ")) forget_thread(pid "/task/" ids[i])
  thread_list[pid] = now
  listed_threads[pid] = split(now, ids, " ")
}

# Forgets a process. What it did stays in the sum, or comes back in the sum of its parent, which has waited for it.
function forget(pid,   name) {
  name = group[pid]
  if ((parent[pid] in group) && group[parent[pid]] == name) {
    user_sum[name] -= user[pid]; system_sum[name] -= system_of[pid]
    read_sum[name] -= got[pid]; write_sum[name] -= put[pid]; fault_sum[name] -= faults[pid]
  }
  if (name in of_jobs) forget_threads(pid)
  delete thread_list[pid]; delete listed_threads[pid]; delete list_again[pid]; delete list_gap[pid]
  delete confirmed[pid]; delete stopped[pid]; delete faults[pid]
  delete group[pid]; delete start[pid]; delete parent[pid]; delete threads[pid]; delete rss[pid]; delete shared[pid]; delete no_io[pid]
  delete user[pid]; delete system_of[pid]; delete got[pid]; delete put[pid]; delete waits[pid]; delete forced[pid]
  if (--members[name] > 0) return
  # The next one of this name begins again.
  delete fault_sum[name]; delete quota[name]; delete busiest[name]
  delete user_sum[name]; delete system_sum[name]; delete read_sum[name]; delete write_sum[name]; delete wait_sum[name]; delete forced_sum[name]
  delete shown[name]
  delete members[name]
}

# A number may belong to a thread: it then shows its whole process.
function is_leader(pid) {
  whole = slurp(proc "/" pid "/status", "Tgid:", "Tgid:")
  return behind("Tgid:") == pid
}

function consider(pid,   name) {
  if (pid in group || !(p_name in wanted) || !is_leader(pid)) return
  name = wanted[p_name]
  if (!(p_parent in group && group[p_parent] == name)) {
    if ((name in of_jobs) && !is_of_job(pid)) return
    if ((name in ports_of) && is_confirmed(name)) return
  }
  follow(pid, name)
}

# A tool works in the folder of a job; or who started it does, or who its session began with. One that has entered the folder that it measures was
# started by the supervisor of its job, or its session was. Others of its name are strangers.
function is_of_job(pid) {
  if (first(proc "/" pid "/cwd/../identity") || first(proc "/" p_session "/cwd/../identity") || first(proc "/" p_parent "/cwd/../identity")) return 1
  if (first(proc "/" p_parent "/cwd/identity")) return 1
  whole = slurp(proc "/" p_session "/status", "PPid:", "PPid:")
  return first(proc "/" behind("PPid:") "/cwd/identity")
}

# Whether it is known which server of a name is the one that is measured.
function is_confirmed(name,   pid) {
  for (pid in confirmed) if (group[pid] == name) return 1
  return 0
}

function top_of(pid) {
  while ((parent[pid] in group) && group[parent[pid]] == group[pid]) pid = parent[pid]
  return pid
}

# Of several servers of a name the measured one is the one that listens where it is reached. Where that is not seen, all of them count.
function confirm(name,   pid, tops, count, hits) {
  for (pid in group) if (group[pid] == name && top_of(pid) == pid) { tops[pid] = 1; count++ }
  if (count < 2) return
  for (pid in tops) if ((pid in confirmed) || listens(pid, name)) { confirmed[pid] = 1; hits++ }
  if (!hits) return
  for (pid in group) if (group[pid] == name && !(top_of(pid) in confirmed)) gone[pid] = 1
  for (pid in gone) { forget(pid); delete gone[pid] }
}

# Asked only of several servers of a name: it starts a process.
function listens(pid, name,   path, i, sockets, list, text, hit) {
  sockets = " "
  for (i = 1; i <= 2; i++) {
    path = proc "/" pid "/net/tcp" (i == 2 ? "6" : "")
    while ((getline < path) > 0)
      if ($4 == "0A" && index(ports_of[name], " " substr($2, length($2) - 3) " ")) sockets = sockets $10 " "
    close(path)
  }
  if (sockets == " ") return 0
  list = "ls -l " proc "/" pid "/fd 2>/dev/null"
  while ((list | getline text) > 0)
    if (match(text, /socket:\\[[0-9]+\\]/) && index(sockets, " " substr(text, RSTART + 8, RLENGTH - 9) " ")) hit = 1
  close(list)
  return hit
}

# What the control groups of a process leave it: cores, of the group that allows least, of either version.
function find_quota(pid, name,   lines, parts, i, base, path, cores) {
  delete quota[name]
  for (i = split(slurp(proc "/" pid "/cgroup"), lines, "\\n"); i > 0; i--) {
    if (split(lines[i], parts, ":") < 3) continue
    base = sys "/fs/cgroup"
    if (parts[2] != "") {
      if (!index("," parts[2] ",", ",cpu,")) continue
      base = base "/cpu"
    }
    path = substr(lines[i], length(parts[1]) + length(parts[2]) + 3)
    for (;;) {
      if (path == "/") path = ""
      if (parts[2] == "") cores = first(base path "/cpu.max") && $1 != "max" && $2 > 0 ? $1 / $2 : 0
      else cores = word(base path "/cpu.cfs_quota_us") / (word(base path "/cpu.cfs_period_us") + 0.000001)
      if (cores > 0 && (!(name in quota) || cores < quota[name])) { quota[name] = cores; quota_at[name] = base path "/cpu.stat" }
      if (path == "") break
      sub(/\\/[^\\/]*$/, "", path)
    }
  }
}

function read_quotas(   name) {
  for (name in quota) {
    whole = slurp(quota_at[name])
    if (whole != "") block = block "g " name " " sprintf("%.3f", quota[name]) " " behind("nr_periods ") " " behind("nr_throttled ") "\\n"
  }
}

# New ones, by the numbers that were given out since the last look; and shells, which become something else under their number.
function find_new(   pid, name, missing, most, last) {
  if (!first(proc "/loadavg") || $5 == "") return
  block = block "l " $1 "\\n"
  last = $5 + 0
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
  # One whose name has not changed is still a shell.
  if (missing) for (pid in shells) if (!(pid in maybe) && word(proc "/" pid "/comm") != shells[pid]) maybe[pid] = 0
  for (pid in maybe) {
    # Of a thread, the kernel adds up all threads of its process to tell its numbers.
    if (!(named ? first(proc "/" pid "/comm") : look(pid))) { delete maybe[pid]; continue }
    if (named) p_name = $0 == "MainThread" ? "node" : $0
    if (p_name in wanted && (!named || look(pid))) consider(pid)
    # Only a shell, or a copy of it, will become something else.
    if (--maybe[pid] < 0 || pid in group || !(p_name in shell_names)) delete maybe[pid]
  }
}

# Every process of the host, now and then: those wanted, and whatever else takes CPU. Most have not changed since the scan before, and a look at
# their numbers costs more than to read them.
function find_all(   pid, name, used, usage, users, span, text) {
  for (pid in shells) delete shells[pid]
  span = uptime - last_scan
  shell_count = 0
  for (pid in listed) {
    if (pid == reader || pid == pacer || !read_process(pid)) continue
    text = $0
    if (pid in unchanged && unchanged[pid] == text) continue
    if (!understand()) continue
    consider(pid)
    if (pid in group && group[pid] in is_wanted) continue
    # A tool that waits to start together with others is a shell until then, for a few minutes at most.
    if (p_name in shell_names && uptime - p_start / hz < 300) { if (shell_count++ < 16) shells[pid] = p_name }
    else if (!(p_name in wanted)) unchanged[pid] = text
    used = p_user + p_system - ((pid in used_before) && born[pid] == p_start ? used_before[pid] : 0)
    used_before[pid] = p_user + p_system
    born[pid] = p_start
    if (used > 0 && last_scan) {
      name = clean(p_name)
      if (name in is_wanted || (p_name in wanted)) name = name ":other"
      usage[name] += used
      users[name] = users[name] " " pid
    }
  }
  for (pid in used_before) if (!(pid in listed)) { delete used_before[pid]; delete born[pid]; delete unchanged[pid] }
  for (name in ports_of) confirm(name)
  for (name in is_wanted) for (pid in group) if (group[pid] == name) { find_quota(pid, name); break }
  for (pid in group) read_shared(pid)
  if (last_scan) follow_strangers(usage, users, span * hz)
  last_scan = uptime
}

function read_shared(pid) {
  if (first(proc "/" pid "/statm") && $3 != "") shared[pid] = $3 * page / 1024
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

function add_up(pid, name) {
  sum_threads[name] += threads[pid]
  sum_stopped[name] += stopped[pid]
  sum_rss[name] += rss[pid] - (members[name] > 1 ? shared[pid] : 0)
  if (members[name] > 1 && shared[pid] > most_shared[name]) most_shared[name] = shared[pid]
  if (pid in no_io) hidden_io[name] = 1
  if (threads[pid] != 1) several[name] = 1
}

function read_processes(   pid, name, count, slice) {
  busy_thread = 0
  for (pid in group) count++
  # Of very many a part each second, so that an idle thousand costs no more than a few.
  slice = int((count + 127) / 128)
  for (pid in group) {
    if (slice > 1 && (pid + looks) % slice) continue
    if (!look(pid) || p_start != start[pid]) gone[pid] = 1
    else {
      take(pid)
      if ((group[pid] in of_jobs) && threads[pid] > 1) read_threads(pid, group[pid])
    }
  }
  for (pid in gone) { forget(pid); delete gone[pid] }
  for (pid in group) add_up(pid, group[pid])
  for (name in members) {
    block = block "x " name " " total(user_sum[name]) " " total(system_sum[name]) " " whole_number(sum_rss[name] + most_shared[name]) " " \\
      sum_threads[name] " " (name in hidden_io ? "- -" : total(read_sum[name]) " " total(write_sum[name])) " " \\
      (name in several || members[name] > 16 ? "- -" : total(wait_sum[name]) " " total(forced_sum[name])) " " \\
      total(fault_sum[name]) " " sum_stopped[name] + 0 "\\n"
    if (name in busiest) {
      if (sum_threads[name] > 1) block = block "b " name " " sprintf("%.1f", busiest[name] > 0 ? busiest[name] : 0) "\\n"
      if (busiest[name] >= 80) busy_thread = 1
      delete busiest[name]
    }
    shown[name] = 1
    delete sum_stopped[name]
    delete sum_rss[name]; delete sum_threads[name]; delete most_shared[name]; delete hidden_io[name]; delete several[name]
  }
}

function total(sum) { return whole_number(sum > 0 ? sum : 0) }
`;
