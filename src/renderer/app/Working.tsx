import { useEffect, useState } from 'react';
import { formatDuration, formatNumber } from '../../shared/util/format.ts';
import { type CallName, useWorks, type Work } from '../client/index.ts';

/** After this time users expect to see what the page is doing. */
const LONG_MS = 1000;
const TICK_MS = 250;

/** Views show the progress of these themselves, or nothing waits for them. */
const OWN = undefined;

/** Words for each call of the engine, in case it takes longer than a second. */
const WORDS: Readonly<Record<CallName, string | undefined>> = {
  'app.info': 'Reading the library',
  'app.doctor': 'Checking the installation',
  'app.secrets': 'Reading the password store',
  'app.unlockVault': 'Unlocking the vault',
  'captures.list': 'Reading captures',
  'captures.content': 'Reading captures',
  'captures.differences': 'Comparing captures',
  'captures.compare': 'Comparing captures',
  'changes.list': 'Reading changes of hosts and servers',
  'changes.putBack': 'Restoring settings',
  'changes.leave': 'Closing the change',
  'costs.catalogue': 'Reading prices',
  'costs.evaluate': 'Calculating the price',
  'costs.configurations': 'Reading prices',
  'costs.saveConfiguration': 'Saving the configuration',
  'costs.removeConfiguration': 'Removing the configuration',
  'costs.ofSession': 'Reading prices',
  'costs.setOfSession': 'Assigning the price',
  'costs.breakEven': 'Calculating the break-even',
  'costs.valueForMoney': 'Calculating costs',
  'dataSets.list': 'Reading data sets',
  'dataSets.look': 'Counting the data',
  'dataSets.remove': 'Removing the data',
  'experiments.tools': 'Reading tools',
  'experiments.factorKinds': 'Reading factors',
  'experiments.bothInTurns': 'Combining the experiments',
  'experiments.list': 'Reading templates',
  'experiments.save': 'Saving the experiment',
  'experiments.remove': 'Removing the experiment',
  'experiments.check': 'Checking the experiment',
  'experiments.format': 'Writing the document',
  'experiments.template': 'Reading the template',
  'experiments.script': 'Writing the script',
  'experiments.small': 'Shortening the experiment',
  'experiments.tryOutput': 'Parsing the output',
  'experiments.readFile': 'Reading the file',
  'hosts.list': 'Reading hosts',
  'hosts.save': 'Saving the host',
  'hosts.remove': 'Removing the host',
  'hosts.test': OWN,
  'hosts.testSpec': OWN,
  'hosts.trustKey': 'Storing the host key',
  'hosts.forgetKey': 'Removing the host key',
  'hosts.sshConfig': 'Reading the SSH configuration',
  'hosts.importSshConfig': 'Importing hosts',
  'hosts.folder': 'Listing the folder',
  'hosts.testSyncs': 'Measuring synced writes',
  'hosts.facts': 'Reading facts of the host',
  'hosts.leftBehind': OWN,
  'hosts.saveTunnel': 'Saving the tunnel',
  'hosts.removeTunnel': 'Removing the tunnel',
  'hosts.startTunnel': 'Starting the tunnel',
  'hosts.stopTunnel': 'Stopping the tunnel',
  'monitors.tryLines': 'Parsing the lines',
  'monitors.sources': 'Reading monitored series',
  'monitors.windows': 'Reading monitored series',
  'monitors.limits': 'Reading limits of hosts and servers',
  'monitors.series': 'Reading monitored series',
  'monitors.moments': 'Comparing the moments around stalls',
  'reports.make': 'Creating the file',
  'reports.costGoal': 'Creating the file',
  'results.session': 'Calculating figures',
  'results.steps': 'Calculating figures of the steps',
  'results.headline': 'Calculating figures',
  'results.places': 'Calculating figures of folders and devices',
  'results.series': 'Reading series',
  'results.stretches': 'Reading series',
  'results.quantiles': 'Calculating percentiles',
  'results.seconds': 'Reading series',
  'results.judgements': 'Finding bottlenecks',
  'results.seriesDifferences': 'Comparing series of hosts and servers',
  'results.raw': 'Reading the output',
  'results.compare': 'Comparing',
  'results.compareLevels': 'Comparing',
  'sessions.list': 'Reading the library',
  'sessions.figures': 'Calculating figures of the library',
  'sessions.get': 'Reading the session',
  'sessions.runs': 'Reading the session',
  'sessions.start': 'Checking and starting the session',
  'sessions.pause': 'Pausing the session',
  'sessions.resume': 'Resuming the session',
  'sessions.repeat': 'Repeating trials',
  'sessions.exclude': 'Excluding runs',
  'sessions.include': 'Including runs',
  'sessions.addRepeats': 'Adding repeats',
  'sessions.addLevels': 'Adding levels',
  'sessions.skip': 'Skipping the trial',
  'sessions.stop': 'Stopping the session',
  'sessions.reingest': 'Re-parsing the output',
  'sessions.events': 'Reading the log',
  'sessions.edit': 'Changing the session',
  'sessions.addNote': 'Saving the note',
  'sessions.importOutputs': 'Importing outputs',
  'sessions.remove': 'Removing the session',
  'targets.kinds': 'Reading targets',
  'targets.list': 'Reading targets',
  'targets.save': 'Saving the target',
  'targets.remove': 'Removing the target',
  'targets.test': OWN,
  'targets.testSpec': OWN,
  'targets.inspectSpec': 'Querying the server',
  'targets.serverState': OWN,
  'targets.lookAtServer': 'Checking the server',
  'targets.findPrograms': 'Finding server programs',
  'targets.startServer': 'Starting the server',
  'targets.stopServer': 'Stopping the server',
  'targets.restartServer': 'Restarting the server',
};

const wordsOf = ({ name, at }: Work): string | undefined => at?.what ?? (name && WORDS[name]);

/** Calls that have been pending for long, with their progress. Overlays the page, so that nothing moves. */
export function Working() {
  const works = useWorks();
  const [now, setNow] = useState(0);
  const waits = works.length > 0;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [waits]);
  // One at a time: a second line would move when the first call has ended.
  const long = works.filter((work) => wordsOf(work) !== undefined && now - work.since >= LONG_MS);
  const work = long.find(({ at }) => at) ?? long[0];
  const words = work && wordsOf(work);
  if (work === undefined || words === undefined) return null;
  return (
    <div className="kp-working">
      <Line words={words} work={work} now={now} />
    </div>
  );
}

function Line({ words, work: { at, since }, now }: { words: string; work: Work; now: number }) {
  const amount = at ? `${at.unit} ${formatNumber(at.done)} of ${formatNumber(at.of)}` : undefined;
  return (
    <div
      role="progressbar"
      aria-label={words}
      {...(at && { 'aria-valuemin': 0, 'aria-valuemax': at.of, 'aria-valuenow': at.done, 'aria-valuetext': amount })}
    >
      <span>
        {words}
        {amount === undefined ? '' : `: ${amount}`}
      </span>
      <span className="kp-small">{formatDuration(Math.round((now - since) / 1000))}</span>
      <progress aria-hidden="true" {...(at && { max: at.of, value: at.done })} />
    </div>
  );
}
