import { expect, test } from './fixtures.ts';

test.describe('the window', { tag: '@window' }, () => {
  test.use({ allowedErrors: /Not allowed|status of 404/ });

  test('cannot navigate or open windows, grants only notifications, and serves nothing outside its page', async ({
    running,
    app,
  }) => {
    await expect(app.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
    const before = app.url();
    const answers = await app.evaluate(async () => {
      const opened = window.open('https://example.org/');
      window.location.href = 'https://example.org/';
      const notifications = await Notification.requestPermission();
      const place = await new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          () => resolve('denied'),
        ),
      );
      return { opened: opened === null, notifications, place };
    });
    expect(answers).toEqual({ opened: true, notifications: 'granted', place: 'denied' });
    expect(app.url()).toBe(before);
    expect(running.window?.windows()).toHaveLength(1);
    const preferences = await running.window?.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const { sandbox, contextIsolation, nodeIntegration, webSecurity } = contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, webSecurity };
    });
    expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true });
    const statuses = await app.evaluate(async () => {
      const places = [
        '/index.html',
        '/../package.json',
        '/%2e%2e/%2e%2e/package.json',
        '/..%2f..%2fpackage.json',
        '/none.js',
      ];
      return Promise.all(places.map(async (place) => (await fetch(place)).status));
    });
    expect(statuses).toEqual([200, 404, 404, 404, 404]);
  });
});
