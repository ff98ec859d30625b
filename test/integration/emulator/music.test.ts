import { mp3Frames } from './audioFiles';
import { useGateway } from './gateway';

let clock = 1_800_000_000_000;
const gateway = useGateway({ now: () => clock });

const song = (more: object = {}) => ({ prompt: 'A calm song about snow', ...more });
const submit = async (more: object = {}, path = '/v1/music/generations') =>
	await gateway.post(path, song(more));
const query = async (id: string) => (await gateway.get(`/v1/music/tasks/${id}`)).data;
const idOf = async (more: object = {}): Promise<string> => (await submit(more)).data.data.task_id;

describe('Music tasks', () => {
	it('progress from PENDING through PROCESSING to SUCCESS, with progress and times', async () => {
		gateway.emulator.behaviour.set('*', { music: { pendingMs: 10_000, processingMs: 50_000 } });
		const id = await idOf();
		const submitted = Math.floor(clock / 1000);
		const seen = async () => (await query(id)).data;
		expect(await seen()).toEqual({
			task_id: id,
			action: 'MUSIC',
			status: 'PENDING',
			submit_time: submitted,
			start_time: 0,
			finish_time: 0,
			progress: '0%',
			data: [],
		});
		clock += 9_999;
		expect((await seen()).status).toBe('PENDING');
		clock += 1;
		expect(await seen()).toMatchObject({ status: 'PROCESSING', progress: '0%', start_time: submitted + 10 });
		clock += 36_000;
		expect(await seen()).toMatchObject({ progress: '72%', finish_time: 0, data: [] });
		gateway.emulator.tasks.advance(14_000);
		const done = await seen();
		expect(done).toMatchObject({ status: 'SUCCESS', progress: '100%', finish_time: submitted + 60 });
		expect(done.data).toHaveLength(2);
		expect(done).not.toHaveProperty('fail_reason');
	});

	it('return two playable tracks with covers, on another host and without a key', async () => {
		const id = await idOf({
			custom_mode: true,
			style: 'folk',
			title: 'Snow',
			vocal_gender: 'f',
			model: 'music-v5',
		});
		gateway.emulator.tasks.advance(3_600_000);
		const { data: tracks } = (await query(id)).data;
		expect(tracks[0]).toEqual({
			id: `${id}-1`,
			title: 'Snow',
			audioUrl: expect.stringMatching(/^http:\/\/localhost:\d+\/.*\.mp3$/),
			streamAudioUrl: expect.stringMatching(/\.mp3$/),
			imageUrl: expect.stringMatching(/\.png$/),
			tags: 'folk, female vocals',
			prompt: 'A calm song about snow',
			modelName: 'music-v5',
			createTime: expect.any(Number),
			duration: expect.any(Number),
		});
		for (const { audioUrl, imageUrl, duration } of tracks) {
			const open = { headers: { Authorization: null }, responseType: 'arraybuffer' } as const;
			const audio = await gateway.client.get(audioUrl, open);
			expect(audio.headers['content-type']).toBe('audio/mpeg');
			expect(mp3Frames(Buffer.from(audio.data)).seconds).toBeCloseTo(duration, 0);
			const cover = await gateway.client.get(imageUrl, open);
			expect(Buffer.from(cover.data).subarray(1, 4).toString()).toBe('PNG');
		}
		expect(tracks[0].audioUrl).not.toBe(tracks[1].audioUrl);
	});

	it('return an envelope for an unknown id', async () => {
		const { status, data } = await gateway.get('/v1/music/tasks/nowhere');
		expect(status).toBe(400);
		expect(data).toEqual({ code: 'task_not_exist', message: 'There is no task "nowhere".', data: null });
	});
});
