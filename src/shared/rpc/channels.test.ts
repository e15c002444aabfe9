import { expect, it } from 'vitest';
import { z } from 'zod';
import { channels, join } from './channels.ts';
import { connect } from './client.ts';
import { call } from './define.ts';
import { serve } from './server.ts';
import { memoryTransports } from './transports.ts';

const contract = { say: call(z.object({ word: z.string() }), z.string()) };
const speaker = (name: string) => ({ say: ({ word }: { word: string }) => `${name} says ${word}` });

it('carries several channels on one pipe, opened by either side', async () => {
  const [left, right] = memoryTransports();
  const here = channels(left);
  const there = channels(right);
  there.onOpen((name, transport) => serve(contract, speaker(name), transport));
  here.onOpen((name, transport) => serve(contract, speaker(`back ${name}`), transport));
  const first = connect(contract, here.open('first'));
  const second = connect(contract, here.open('second'));
  const back = connect(contract, there.open('third'));
  expect(await Promise.all([first.say({ word: 'a' }), second.say({ word: 'b' }), back.say({ word: 'c' })])).toEqual([
    'first says a',
    'second says b',
    'back third says c',
  ]);
});

it('closes one channel without the others, and all with the pipe', async () => {
  const [left, right] = memoryTransports();
  const here = channels(left);
  channels(right).onOpen((name, transport) => {
    if (name === 'brief') transport.close();
    else serve(contract, speaker(name), transport);
  });
  const brief = connect(contract, here.open('brief'));
  const long = connect(contract, here.open('long'));
  await expect(brief.say({ word: 'a' })).rejects.toMatchObject({ code: 'disconnected' });
  expect(await long.say({ word: 'b' })).toBe('long says b');
  left.close();
  await expect(long.say({ word: 'c' })).rejects.toMatchObject({ code: 'disconnected' });
});

it('joins two pipes end to end', async () => {
  const [page, shell] = memoryTransports();
  const [inner, engine] = memoryTransports();
  join(shell, inner);
  serve(contract, speaker('engine'), engine);
  const client = connect(contract, page);
  expect(await client.say({ word: 'a' })).toBe('engine says a');
  engine.close();
  await expect(client.say({ word: 'b' })).rejects.toMatchObject({ code: 'disconnected' });
});
