import { type HostSetting, oneOf, oneWord, sameText } from './setting.ts';

const GOVERNORS = '/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor';

export const cpuGovernor: HostSetting = {
  name: 'cpu-governor',
  title: 'CPU frequency governor',
  description: 'What decides the frequency of all CPUs: performance, powersave, schedutil.',
  check: oneWord,
  find: `
set -- ${GOVERNORS}
file=$1
[ -f "$file" ] || lacks "The CPUs of this host have no frequency governor, as in most virtual machines."`,
  show: `
for each in ${GOVERNORS}; do
  cpu=\${each#/sys/devices/system/cpu/}
  read -r governor <"$each" || exit 1
  echo "value \${cpu%%/*}=$governor"
done
[ ! -r "\${file%/*}/scaling_available_governors" ] || echo "takes $(cat "\${file%/*}/scaling_available_governors")"`,
  put: `
failed=0
case $value in
  *=*) for pair in $value; do
    write "\${pair#*=}" "/sys/devices/system/cpu/\${pair%%=*}/cpufreq/scaling_governor" || failed=1
  done ;;
  *) for each in ${GOVERNORS}; do write "$value" "$each" || failed=1; done ;;
esac
exit $failed`,
  read(printed) {
    const each = printed.get('value') ?? [];
    if (each.length === 0 || !each.every((pair) => /^cpu\d+=[a-z_]{1,40}$/.test(pair))) return undefined;
    const governors = [...new Set(each.map((pair) => pair.slice(pair.indexOf('=') + 1)))];
    const takes = oneOf(printed, 'takes')?.split(/\s+/);
    // Where they differ, each is told with its CPU, and put back so.
    const value = governors.length === 1 ? (governors[0] ?? '') : each.join(' ');
    return { value, ...(takes && { takes }) };
  },
  isSo: sameText,
};

const ON_OFF = (value: string): string | undefined =>
  value === 'on' || value === 'off' ? undefined : 'is “on” or “off”.';

export const cpuBoost: HostSetting = {
  name: 'cpu-boost',
  title: 'CPU boost',
  description: 'Whether CPUs may run above their base frequency (turbo): on or off.',
  check: ON_OFF,
  find: `
turbo=/sys/devices/system/cpu/intel_pstate/no_turbo
file=/sys/devices/system/cpu/cpufreq/boost; on=1; off=0
if [ -f "$turbo" ]; then file=$turbo; on=0; off=1; fi
[ -f "$file" ] || lacks "The CPU boost of this host cannot be switched, as in most virtual machines."`,
  show: 'if [ "$(cat "$file")" = $on ]; then echo "value on"; else echo "value off"; fi',
  put: 'if [ "$value" = on ]; then write $on "$file"; else write $off "$file"; fi',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value === 'on' || value === 'off' ? { value } : undefined;
  },
  isSo: sameText,
};

export const cpuThreads: HostSetting = {
  name: 'smt',
  title: 'Simultaneous multithreading',
  description: 'Whether a core runs several threads (Hyper-Threading): on or off.',
  check: ON_OFF,
  find: `
file=/sys/devices/system/cpu/smt/control
[ -f "$file" ] || lacks "The kernel of this host cannot switch simultaneous multithreading."
case $(cat "$file") in
  on|off) ;;
  *) lacks "Simultaneous multithreading cannot be switched on this host: $(cat "$file")." ;;
esac`,
  show: 'echo "value $(cat "$file")"',
  put: 'write "$value" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value === 'on' || value === 'off' ? { value } : undefined;
  },
  isSo: sameText,
};
