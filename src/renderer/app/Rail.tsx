import { RingProgress, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from 'wouter';
import { ENDED_SESSION, type Session } from '../../shared/model/session.ts';
import { formatCount, formatDuration } from '../../shared/util/format.ts';
import { useCall, useHostLinks } from '../client/index.ts';
import { type Tone, useNow } from '../ui/index.ts';
import { SECTIONS } from './routes.ts';

interface RailProperties {
  section: string;
  narrow: boolean;
  onToggle: () => void;
}

/** Left rail: navigation, and at its bottom running sessions and connected hosts. */
export function Rail({ section, narrow, onToggle }: RailProperties) {
  const Toggle = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className="kp-rail" aria-label="Sections" data-narrow={narrow || undefined}>
      <Link href="/" className="kp-brand" aria-label="Kneepoint, to the library">
        <KneeMark />
        {narrow ? null : <span>Kneepoint</span>}
      </Link>
      <ul>
        {SECTIONS.map(({ id, label, to, icon: Icon }) => (
          <li key={id}>
            <Tooltip label={label} position="right" disabled={!narrow}>
              <Link href={to} aria-current={id === section ? 'page' : undefined} aria-label={label}>
                <Icon size={18} stroke={1.6} aria-hidden="true" />
                {narrow ? null : <span>{label}</span>}
              </Link>
            </Tooltip>
          </li>
        ))}
      </ul>
      <div className="kp-rail-foot">
        <RunningSessions narrow={narrow} />
        <HostLights narrow={narrow} />
        <button
          type="button"
          className="kp-rail-toggle"
          onClick={onToggle}
          aria-label={narrow ? 'Expand navigation' : 'Collapse navigation'}
        >
          <Toggle size={18} stroke={1.6} />
          {narrow ? null : <span>Collapse</span>}
        </button>
      </div>
    </nav>
  );
}

const KneeMark = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M2 17 C5 8 7 5.5 11 5 L18 4.6" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
    <circle cx="9.2" cy="5.6" r="2.6" fill="var(--kp-accent)" />
  </svg>
);

function RunningSessions({ narrow }: { narrow: boolean }) {
  const sessions = useCall('sessions.list', {});
  const running = (sessions.data ?? []).filter((session) => !ENDED_SESSION.includes(session.state));
  const now = useNow(running.length > 0 ? 1000 : undefined);
  return running.slice(0, 3).map((session) => (
    <Link key={session.id} href={`/sessions/${session.id}/live`} className="kp-rail-session" title={titleOf(session)}>
      <RingProgress
        size={28}
        thickness={3}
        sections={[{ value: (100 * session.trialsEnded) / Math.max(1, session.trialsTotal), color: 'petrol' }]}
      />
      {narrow ? null : (
        <span className="kp-rail-session-words">
          <span className="kp-ellipsis">{session.name}</span>
          <span className="kp-small kp-figures kp-ellipsis">{progressWords(session, now)}</span>
        </span>
      )}
    </Link>
  ));
}

const titleOf = ({ name, trialsEnded, trialsTotal }: Session): string =>
  `${name}: ${trialsEnded} of ${formatCount(trialsTotal, 'trial')} ended`;

function progressWords(session: Session, now: number): string {
  const trials = `${session.trialsEnded} of ${session.trialsTotal}`;
  if (session.state !== 'running') return `${trials} · ${session.state}`;
  if (!session.expectedEndAt) return trials;
  const seconds = Math.max(0, Math.round((session.expectedEndAt - now) / 1000));
  // Without the number of trials, which is in the ring and the title: there is no room for both.
  return `${formatDuration(seconds > 600 ? Math.round(seconds / 60) * 60 : seconds)} left`;
}

const LIGHTS: Readonly<Record<string, Tone>> = { up: 'ok', connecting: 'busy', down: 'bad', idle: 'idle' };
const LINK_WORDS: Readonly<Record<string, string>> = {
  up: 'connected',
  connecting: 'connecting',
  down: 'unreachable',
  idle: 'not connected',
};

function HostLights({ narrow }: { narrow: boolean }) {
  const links = useHostLinks();
  return (
    <div className="kp-rail-lights">
      {links.map((link) => (
        <Tooltip key={link.host} label={`${link.host}: ${link.message ?? LINK_WORDS[link.state]}`} position="right">
          <Link href="/hosts" className="kp-status">
            <span className="kp-dot" data-tone={LIGHTS[link.state]} data-hollow={link.state === 'idle' || undefined} />
            {narrow ? null : <span className="kp-ellipsis">{link.host}</span>}
            <span className="kp-visually-hidden">{LINK_WORDS[link.state]}</span>
          </Link>
        </Tooltip>
      ))}
    </div>
  );
}
