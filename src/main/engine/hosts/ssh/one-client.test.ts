import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('makes SSH clients in one place only, where the key check cannot be left out', () => {
  const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
  // Benchmarks measure ssh2 alone as the limit of ours.
  const files = ['src', 'scripts', 'e2e'].flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name));
  });
  const makers = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return /'ssh2'/.test(text) && /new (ssh2\.)?Client\(/.test(text);
  });
  expect(makers).toEqual([join('src', 'main', 'engine', 'hosts', 'ssh', 'connection.ts')]);
  expect(readFileSync(join(root, makers[0] ?? ''), 'utf8').match(/new (ssh2\.)?Client\(/g)).toHaveLength(1);
});
