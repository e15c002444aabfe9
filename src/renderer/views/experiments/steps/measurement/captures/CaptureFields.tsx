import { MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type Capture, formOf, MOMENT_TITLES, momentsOf } from '../../../../../../shared/model/capture.ts';
import { IconAction } from '../../../../../ui/index.ts';
import { KeptText } from '../monitors/KeptText.tsx';
import classes from './captures.module.css';
import { changed, formsOf, inForm, ofSource, SOURCES, type SourceName, sourceOf } from './captures.ts';

interface CaptureProperties {
  capture: Capture;
  hosts: readonly string[];
  /** Messages of the document's check, by part; '' for those of the whole. */
  problems: Readonly<Record<string, string>>;
  /** Undefined: it is removed. */
  onChange(capture: Capture | undefined): void;
}

const isSource = (value: string | null): value is SourceName => value !== null && value in SOURCES;
const MOMENTS = Object.entries(MOMENT_TITLES).map(([value, label]) => ({ value, label }));
type Moment = keyof typeof MOMENT_TITLES;
const isMoment = (value: string): value is Moment => value in MOMENT_TITLES;

/** One capture. */
export function CaptureFields({ capture, hosts, problems, onChange }: CaptureProperties) {
  const source = sourceOf(capture);
  const put = (change: Parameters<typeof changed>[1]): void => onChange(changed(capture, change));
  const form = formOf(capture);
  return (
    <fieldset className={classes.capture} aria-label={capture.name}>
      <div className={classes.column}>
        <KeptText label="Name" value={capture.name} problem={problems.name} onChange={(name) => put({ name })} />
        <Select
          label="From"
          allowDeselect={false}
          data={Object.entries(SOURCES).map(([value, label]) => ({ value, label }))}
          value={source}
          onChange={(value) => {
            if (isSource(value) && value !== source) onChange(ofSource(capture, value));
          }}
        />
        {source === 'statement' ? null : (
          <Select
            label="Host"
            placeholder="Server host, or the first generator"
            clearable
            data={[...hosts]}
            value={capture.host ?? null}
            error={problems.host}
            onChange={(host) => put({ host: host ?? undefined })}
          />
        )}
      </div>
      <div className={classes.column}>
        {source === 'file' ? (
          <KeptText
            label="Path"
            description={
              form === 'attachment'
                ? 'Absolute path; the whole file, up to 1 MiB'
                : 'Absolute path; the last MiB is stored'
            }
            value={capture.file ?? ''}
            problem={problems.file}
            onChange={(file) => put({ file })}
          />
        ) : (
          <KeptText
            label={SOURCES[source]}
            description={source === 'statement' ? 'It must only read' : 'POSIX sh; its standard output is stored'}
            isCode
            value={capture[source] ?? ''}
            problem={problems[source]}
            onChange={(text) => put({ [source]: text })}
          />
        )}
        {source === 'statement' ? <StatementFields capture={capture} problems={problems} put={put} /> : null}
        {problems[''] === undefined ? null : <p className={classes.problem}>{problems['']}</p>}
      </div>
      <div className={classes.column}>
        <Select
          label="Store as"
          allowDeselect={false}
          data={formsOf(capture)}
          value={formOf(capture)}
          error={problems.as}
          onChange={(value) => {
            const form = formsOf(capture).find((each) => each.value === value);
            if (form) onChange(inForm(capture, form.value));
          }}
        />
        {form === 'marks' ? (
          <KeptText
            label="Lines"
            description="RE2 patterns, one per line. (?P<mark>…) is the label"
            isCode
            value={capture.marks ?? ''}
            problem={problems.marks}
            onChange={(marks) => put({ marks })}
          />
        ) : form === 'difference' ? (
          <TagsInput
            label="Key"
            description="Columns that identify a row. Default: columns that are not numbers"
            value={capture.key ?? []}
            error={problems.key}
            onChange={(key) => put({ key: key.length > 0 ? key : undefined })}
          />
        ) : (
          <MultiSelect
            label="When"
            data={MOMENTS}
            value={[...momentsOf(capture)]}
            error={problems.at}
            onChange={(chosen) => put({ at: chosen.length > 0 ? chosen.filter(isMoment) : undefined })}
          />
        )}
        {form === 'marks' ? null : (
          <NumberInput
            label="Also every"
            placeholder="never"
            suffix=" s"
            min={5}
            max={86_400}
            value={capture.every ?? ''}
            error={problems.every}
            onChange={(value) => put({ every: typeof value === 'number' && value >= 5 ? value : undefined })}
          />
        )}
      </div>
      <div className={classes.remove}>
        <IconAction label={`Remove ${capture.name}`} onClick={() => onChange(undefined)}>
          <IconTrash size={16} stroke={1.6} />
        </IconAction>
      </div>
    </fieldset>
  );
}

interface StatementProperties extends Pick<CaptureProperties, 'capture' | 'problems'> {
  put(change: Parameters<typeof changed>[1]): void;
}

function StatementFields({ capture, problems, put }: StatementProperties) {
  const first = capture.first ?? [];
  const problem = Object.entries(problems).find(([part]) => part === 'first' || part.startsWith('first.'))?.[1];
  return (
    <>
      <Textarea
        label="Statements before it"
        description="One per line, over the same connection: SET profiling = 1"
        rows={Math.max(1, first.length)}
        classNames={{ input: 'kp-mono' }}
        value={first.join('\n')}
        error={problem}
        onChange={(event) => {
          const lines = event.currentTarget.value.split('\n');
          put({
            first: lines.some((line) => line.trim() !== '')
              ? lines.filter((line, index) => line !== '' || index === lines.length - 1)
              : undefined,
          });
        }}
      />
      <Switch
        label="May write"
        checked={capture.writes ?? false}
        onChange={(event) => put({ writes: event.currentTarget.checked || undefined })}
      />
    </>
  );
}
