import { expect, it } from 'vitest';
import { pageFile } from './page-files.ts';

it.each([
  ['/', 'index.html'],
  ['/sessions/3', 'index.html'],
  ['/index.html', 'index.html'],
  ['/assets/main-B2c_.js', 'assets/main-B2c_.js'],
  ['//assets//a.css', 'assets/a.css'],
])('%s names %s', (address, path) => {
  expect(pageFile(address)?.path).toBe(path);
});

it.each([
  '/../secret.json',
  '/assets/../../secret.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%2fsecret.json',
  '/..%5csecret.json',
  '/assets/.hidden.js',
  '/a\0.js',
  '/%00.js',
  '/%zz.js',
  '/key.pem',
  '/.env',
  '/index.constructor',
])('%s names nothing', (address) => {
  expect(pageFile(address)).toBeUndefined();
});
