import { runCli } from '../src/main/cli/index.ts';

// `npm run quickstart`: the quick benchmark in the terminal. Arguments after `--` are options of `kneepoint quickstart`.
process.exitCode = await runCli(['quickstart', ...process.argv.slice(2)]);
