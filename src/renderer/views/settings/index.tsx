import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useCall } from '../../client/index.ts';
import { BlockSkeleton, CopyText, KeyValueList, Page, PageHeader, Panel, ProblemBanner } from '../../ui/index.ts';
import { DoctorPanel } from './DoctorPanel.tsx';
import { SecretsPanel } from './SecretsPanel.tsx';
import classes from './settings.module.css';

/** `/settings`: how it looks, where passwords are kept, where the data is, and whether all is well. */
export function SettingsView() {
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className={classes.columns}>
        <div>
          <Appearance />
          <SecretsPanel />
          <About />
        </div>
        <DoctorPanel />
      </div>
    </Page>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title="Appearance">
      <SegmentedControl
        aria-label="Theme"
        value={colorScheme}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'System' },
        ]}
        onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
      />
    </Panel>
  );
}

const MODES = {
  desktop: 'desktop app',
  browser: 'in a browser, served from this computer',
  cli: 'command line',
  test: 'test',
} as const;

function About() {
  const info = useCall('app.info', {});
  return (
    <Panel title="Data and version">
      {info.error && <ProblemBanner problem={info.error.problem} />}
      {info.data ? (
        <KeyValueList
          pairs={[
            [
              'Data folder',
              <span key="folder" className={classes.folder}>
                <code>{info.data.dataDir}</code>
                <CopyText text={info.data.dataDir} label="Copy the path" />
              </span>,
            ],
            ['Kneepoint', info.data.version],
            ['Runs as', MODES[info.data.mode]],
            [
              'Engine',
              `Node ${info.data.node.replace(/^v/, '')}, SQLite ${info.data.sqlite}, process ${info.data.pid}`,
            ],
          ]}
        />
      ) : (
        !info.error && <BlockSkeleton height={96} />
      )}
    </Panel>
  );
}
