/** Records of a simple CSV file (no quoted fields) by the names of its head. */
export function readCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => {
    const fields = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
  });
}
