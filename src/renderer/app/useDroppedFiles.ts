import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { describeProblem, problemOf } from '../../shared/model/problem.ts';
import { useLink } from '../client/index.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Opens a file dropped anywhere on the window: an experiment or a tool's file as a draft, an SSH configuration under Hosts. */
export function useDroppedFiles(): void {
  const link = useLink();
  const [, go] = useLocation();
  useEffect(() => {
    const over = (event: DragEvent): void => {
      // Otherwise the browser navigates to the file.
      if (hasFiles(event)) event.preventDefault();
    };
    const open = async (file: File): Promise<void> => {
      try {
        const { openFile } = await import('../views/experiments/index.tsx');
        const opened = await openFile(link, file);
        if (opened) go(opened.to);
        const message = opened ? opened.note : 'It is not an experiment, job file or SSH configuration.';
        if (message !== undefined)
          notifications.show({
            color: 'yellow',
            title: opened ? `${file.name} is a draft now.` : `${file.name} was not opened.`,
            message,
          });
      } catch (thrown) {
        const message = describeProblem(problemOf(thrown));
        notifications.show({ color: 'red', title: `${file.name} was not opened.`, message });
      }
    };
    const drop = (event: DragEvent): void => {
      const file = event.dataTransfer?.files[0];
      if (!file || event.defaultPrevented) return;
      event.preventDefault();
      void open(file);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, [link, go]);
}
