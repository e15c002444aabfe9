import { expect, it } from 'vitest';
import { warningsOf } from './form-schema.ts';

it('warns while an unsafe switch is on', () => {
  const schema = { properties: { open: { type: 'boolean', warns: 'Anyone can read it' }, tls: { type: 'string' } } };
  expect(warningsOf(schema, { open: true, tls: 'off' })).toEqual(['Anyone can read it']);
  expect(warningsOf(schema, { open: false })).toEqual([]);
  expect(warningsOf(schema, {})).toEqual([]);
  expect(warningsOf({}, { open: true })).toEqual([]);
});
