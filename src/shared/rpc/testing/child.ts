import { serve } from '../server.ts';
import { ipcTransport } from '../transports.ts';
import { sampleContract, sampleImplementation } from './sample.ts';

serve(sampleContract, sampleImplementation(), ipcTransport(process));
process.on('disconnect', () => process.exit(0));
