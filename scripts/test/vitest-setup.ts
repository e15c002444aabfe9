import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { root } from '../lib/terminal.ts';
import { admission } from './admission.ts';

const end = await admission(path.relative(root, expect.getState().testPath ?? ''));
afterAll(end);
