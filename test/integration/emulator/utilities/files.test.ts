import { PNG } from 'pngjs';
import { noon, startUtilities, type Utilities } from './gateway';

let utilities: Utilities;
beforeAll(async () => {
	utilities = await startUtilities();
});
afterAll(async () => await utilities.close());

async function pictureAt(address: string): Promise<PNG> {
	const response = await fetch(address);
	expect(response.status).toBe(200);
	expect(response.headers.get('content-type')).toBe('image/png');
	return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

describe('Encoding image', () => {
	it.each([
		['/60s', 720, 1280],
		['/wallpaper', 1920, 1080],
	])('redirects %s to a picture on another origin', async (path, width, height) => {
		const reply = await utilities.call(`${path}?encoding=image`);
		expect(reply.status).toBe(302);
		const target = new URL(reply.headers.get('location')!);
		expect(target.origin).not.toBe(utilities.origin);
		expect(target.hostname).toBe('localhost');
		expect(target.port).toBe(new URL(utilities.origin).port);
		expect(target.pathname).toMatch(/^\/__emulator\/files\/utilities\/[^/]+\.png$/);
		expect(await pictureAt(target.href)).toMatchObject({ width, height });
	});

	it('redirects from localhost to 127.0.0.1', async () => {
		const origin = utilities.origin.replace('127.0.0.1', 'localhost');
		const response = await fetch(`${origin}/v2/apis/60s?encoding=image`, { redirect: 'manual' });
		expect(new URL(response.headers.get('location')!).hostname).toBe('127.0.0.1');
	});

	it('redirects to the origin in the options', async () => {
		const elsewhere = await startUtilities(() => noon, { filesOrigin: 'http://files.example:8080' });
		const reply = await elsewhere.call('/60s?encoding=image');
		expect(new URL(reply.headers.get('location')!).origin).toBe('http://files.example:8080');
		await elsewhere.close();
	});
});

describe('Pictures', () => {
	it('are identical for the redirect of image and for image-proxy', async () => {
		const redirect = await utilities.call('/60s?date=2026-08-21&encoding=image');
		const { bytes } = await utilities.call('/60s?date=2026-08-21&encoding=image-proxy');
		const target = await fetch(redirect.headers.get('location')!);
		expect(bytes.equals(Buffer.from(await target.arrayBuffer()))).toBe(true);
	});

	it('change daily and have many colors', async () => {
		const [one, other] = await Promise.all(
			['2026-08-21', '2026-08-22'].map(
				async (date) => (await utilities.call(`/60s?date=${date}&encoding=image-proxy`)).bytes,
			),
		);
		expect(one.equals(other)).toBe(false);
		const { data } = PNG.sync.read(one);
		const colours = new Set(
			Array.from({ length: data.length / 4 }, (_, pixel) => data.readUIntBE(pixel * 4, 3)),
		);
		expect(colours.size).toBeGreaterThan(20);
	});

	it('include the covers to which the data links', async () => {
		const { cover } = await utilities.data<{ cover: string }>('/60s');
		expect(await pictureAt(cover)).toMatchObject({ width: 400, height: 300 });
		const [first] = await utilities.data<Array<{ cover: string }>>('/reviews/weekly/movie');
		expect(await pictureAt(first.cover)).toMatchObject({ width: 270, height: 400 });
	});

	it('include nothing else', async () => {
		const response = await fetch(`${utilities.origin}/__emulator/files/utilities/secret.txt`);
		expect(response.status).toBe(404);
	});
});
