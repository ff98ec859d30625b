import { mp3Frames } from './audioFiles';
import { chatBody, speechBody, useGateway } from './gateway';

const gateway = useGateway({ now: () => Date.UTC(2026, 7, 21, 4) });

describe('News briefing against the emulator', () => {
	it('turns the news into a script and the script into speech', async () => {
		const digest = await gateway.get('/v2/apis/60s');
		expect(digest.data.code).toBe(200);
		const headlines: string[] = digest.data.data.news;
		expect(headlines.length).toBeGreaterThan(5);

		const prompt = `把下面的新闻写成播报稿：\n\n${headlines.join('\n')}`;
		const chat = await gateway.post('/v1/chat/completions', chatBody(prompt));
		const script: string = chat.data.choices[0].message.content;
		for (const headline of headlines) expect(script).toContain(headline);

		const audio = await gateway.post('/v1/audio/speech', speechBody(script, { voice: '新闻主播' }), {
			responseType: 'arraybuffer',
		});
		expect(mp3Frames(Buffer.from(audio.data)).seconds).toBeGreaterThan(script.length / 14);
	});

	it('applies key, rules and journal to the utility endpoints', async () => {
		const path = '/v2/apis/60s';
		expect((await gateway.get(path, { headers: { Authorization: null } })).status).toBe(401);
		gateway.emulator.behaviour.set('GET /v2/apis/*', { faults: [{ kind: 'html', status: 502 }] });
		expect((await gateway.get(path)).status).toBe(502);
		expect((await gateway.get(`${path}?encoding=text`)).status).toBe(200);
		expect(gateway.emulator.journal.entries().map(({ status }) => status)).toEqual([401, 502, 200]);
	});
});
