import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import { editorPage } from './pages/editor.ts';

test('options are converted to a job file and back', async ({ app }) => {
  const editor = editorPage(app);
  await editor.blank(/^fio/);
  await editor.option('Directory').fill('/mnt/disk');
  await editor.option('Queue depth').fill('16');
  const panel = app.getByRole('region', { name: 'Job file', exact: true });
  await expect(panel.locator('pre')).toContainText('directory=/mnt/disk/kneepoint-fio');
  await expect(panel.locator('pre')).toContainText('iodepth=16');
  const saving = app.waitForEvent('download');
  await panel.getByRole('button', { name: 'Save' }).click();
  const saved = await (await saving).path();
  const text = readFileSync(saved, 'utf8');
  expect(text).toContain('[kneepoint-fio]\nrw=randread\nbs=4k\niodepth=16\n');

  const open = app.getByRole('region', { name: 'Open a job file' });
  const paste = open.getByRole('textbox', { name: 'Text of a job file' });
  const lines = open.getByRole('table');
  await paste.fill(`${text.replace('bs=4k', 'bs=8k').replace('runtime=60s', 'runtime=90s')}; mine\n`);
  await expect(lines).toContainText('Comments cannot be kept');
  await open.getByRole('button', { name: 'Use it as options' }).click();
  await expect(editor.option('Block size')).toHaveValue('8k');
  await expect(editor.option('Directory')).toHaveValue('/mnt/disk');
  await expect(panel.locator('pre')).toContainText('runtime=90s');

  const several = '[log]\nrw=write\nsize=1g\n[pages]\nrw=randread\nsize=1g\nstonewall\nexec_prerun=true\n';
  await paste.fill(several);
  await expect(lines).toContainText('Another job: the form describes only one.');
  await expect(lines).toContainText('does not run');
  await open.getByRole('button', { name: 'Use as a job file' }).click();
  await expect(editor.option('Job file')).toHaveValue(several);
  await expect(editor.option('Directory')).toHaveValue('/mnt/disk');
  await editor.option('Job file').fill(several.replace('exec_prerun=true\n', ''));
  await expect(panel.locator('pre')).toContainText('[pages]');

  await paste.fill('[a]\nrw=read\ninclude other.fio\n');
  await expect(open.getByRole('alert')).toContainText('reads another file (include other.fio)');
});
