import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { root } from '../lib/terminal.ts';
import { ALONE, admission } from './admission.ts';
import { projectOf } from './tiers.ts';

const file = path.relative(root, expect.getState().testPath ?? '');
if (projectOf(file)?.alone) process.env[ALONE] = 'true';
const end = await admission(file);
afterAll(end);
