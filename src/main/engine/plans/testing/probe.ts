import { z } from 'zod';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { Step } from '../index.ts';

/** A tool with the smallest schema that has a number and a choice, and accepts any script. */
export const probe: Tool = defineTool(
  {
    id: 'probe',
    title: 'Probe',
    options: z.object({
      threads: z.number().int().min(1).default(1),
      sync: z.number().int().default(1),
      binlog: z.enum(['off', 'on']).default('on'),
    }),
    metrics: { primary: () => 'ops' },
    parser: () => ({ line: () => {}, end: () => ({ summary: {}, ok: true }) }),
  },
  {
    summary: '',
    drives: ['host'],
    plan: () => ({ run: { argv: ['true'], env: {}, files: [], plannedSeconds: 1 } }),
    needs: () => ['host'],
  },
);

/** Context to check its documents with. */
export const checkContext = {
  tools: [probe],
  steps: (tool: Tool, { options }: Pick<Step, 'options'>) => ({
    run: `${tool.id} --threads=${String(options.threads)}`,
  }),
  connection: () => ({ kind: 'host' }),
};

export const probeWorkload = { tool: probe, kindOf: () => 'host' };
