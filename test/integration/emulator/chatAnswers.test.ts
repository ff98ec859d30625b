import { chatBody, useGateway } from './gateway';

const gateway = useGateway();

async function ask(text: string, more: object = {}) {
	const { data } = await gateway.post('/v1/chat/completions', chatBody(text, more));
	return data;
}
const textOf = async (text: string, more: object = {}): Promise<string> =>
	(await ask(text, more)).choices[0].message.content;
const jsonOf = async (text: string, more: object = {}) => JSON.parse(await textOf(text, more));

describe('POST /v1/chat/completions', () => {
	it('returns the documented shape, with usage that follows the lengths of the texts', async () => {
		const answer = await ask('Why is the sky blue?');
		expect(answer).toEqual({
			id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
			object: 'chat.completion',
			created: expect.any(Number),
			model: 'aurora-4',
			choices: [
				{ index: 0, message: { role: 'assistant', content: expect.any(String) }, finish_reason: 'stop' },
			],
			usage: {
				prompt_tokens: 4 + Math.ceil('Why is the sky blue?'.length / 4),
				completion_tokens: Math.ceil(answer.choices[0].message.content.length / 4),
				total_tokens: answer.usage.prompt_tokens + answer.usage.completion_tokens,
			},
		});
	});

	it('answers equal questions equally with different ids, and other questions differently', async () => {
		const [first, second] = [await ask('Why is the sky blue?'), await ask('Why is the sky blue?')];
		expect(second.choices).toEqual(first.choices);
		expect(second.id).not.toBe(first.id);
		expect(await textOf('Why is grass green?')).not.toBe(first.choices[0].message.content);
	});

	it('stops at max_tokens and at stop sequences', async () => {
		const short = await ask('Why is the sky blue?', { max_tokens: 5 });
		expect(short.choices[0]).toMatchObject({
			finish_reason: 'length',
			message: { content: expect.any(String) },
		});
		expect(short.choices[0].message.content).toHaveLength(20);
		expect(short.usage.completion_tokens).toBe(5);
		const stopped = await ask('Why is the sky blue?', { stop: ['.', '?'] });
		expect(stopped.choices[0].finish_reason).toBe('stop');
		expect(stopped.choices[0].message.content).not.toMatch(/[.?]/);
	});

	it('refers to the system text, earlier messages and images', async () => {
		const messages = [
			{ role: 'system', content: 'Talk like a pirate.' },
			{ role: 'user', content: 'I own a parrot.' },
			{ role: 'assistant', content: 'Aye.' },
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'What does it eat?' },
					{ type: 'image_url', image_url: { url: 'https://images.example/parrot.jpg' } },
				],
			},
		];
		const text = await textOf('', { messages });
		expect(text).toContain('Talk like a pirate.');
		expect(text).toContain('I own a parrot.');
		expect(text).toContain('looked at the image');
		expect(await textOf('', { messages, model: 'deepwell-v3' })).not.toContain('looked at the image');
	});

	it('writes the requested length', async () => {
		const text = await textOf('Tell me about lighthouses in 300 words.');
		expect(text.split(' ').length).toBeGreaterThan(250);
		expect(text).toContain('lighthouses');
	});
});

describe('Scripts of POST /v1/chat/completions', () => {
	const headlines = ['Central bank keeps rates', 'New metro line opens', 'Local team wins the cup'];
	const order = (text: string, parts: string[]) => parts.map((part) => text.indexOf(part));

	it.each([
		['numbered lines', headlines.map((line, index) => `${index + 1}. ${line}`).join('\n')],
		['bulleted lines', headlines.map((line) => `- ${line}`).join('\n')],
		['plain lines', headlines.join('\n')],
		['a JSON array', JSON.stringify(headlines)],
		['a JSON object', JSON.stringify({ date: '2026-01-01', news: headlines, tip: 'Sleep well' }, null, 2)],
		['JSON objects with titles', JSON.stringify({ data: headlines.map((title) => ({ title, link: 'x' })) })],
	])('contain every headline of a digest in order, given as %s', async (_case, digest) => {
		const text = await textOf(`Write a spoken script from today's news:\n\n${digest}`);
		const positions = order(text, headlines);
		expect(positions).toEqual([...positions].sort((a, b) => a - b));
		expect(positions[0]).toBeGreaterThan(0);
		expect(text).toMatch(/^Good morning.*see you tomorrow\.$/);
		expect(text).not.toMatch(/[\n{[]|1\./);
	});

	it('are in Chinese for Chinese headlines', async () => {
		const news = ['台风生成，预计影响沿海', '国产邮轮完成首航', '沪指收涨'];
		const text = await textOf(
			`把下面的新闻写成播报稿：\n\n${news.map((line, index) => `${index + 1}. ${line}`).join('\n')}`,
		);
		expect(order(text, news).every((position) => position > 0)).toBe(true);
		expect(text).toMatch(/^大家好.*再见。$/);
	});

	const digest = [
		'第 9 批国家级智能制造示范项目公布，共 120 个',
		'沪指收涨 0.41%，两市成交额 10250 亿元',
		'某地举行灯会',
	];
	const numberedDigest = digest.map((line, index) => `${index + 1}. ${line}`).join('\n');

	it('translate the headlines of the digest if the text asks for English, and keep the others', async () => {
		const text = await textOf(
			`Write a spoken script in English. The digest is in Chinese.\n\n${numberedDigest}`,
		);
		expect(text).toBe(
			'Good morning, and welcome to your briefing for today. ' +
				'To begin with: Group 9 of the national smart manufacturing projects is announced, with 120 projects. ' +
				'Next: The Shanghai index closes 0.41% higher, with a turnover of 1,025 billion yuan. ' +
				'And finally: 某地举行灯会. That is all for today. Thank you for listening, and see you tomorrow.',
		);
	});

	it('are in Chinese if the system text asks for Chinese', async () => {
		const messages = [
			{ role: 'system', content: '请用中文回答。' },
			{ role: 'user', content: `Write a briefing from this:\n\n- Rates are unchanged\n- A metro line opens` },
		];
		expect(await textOf('', { messages })).toBe(
			'大家好，欢迎收听今天的新闻简报。首先来看，Rates are unchanged。最后，A metro line opens。' +
				'以上就是今天的全部内容，感谢收听，我们明天再见。',
		);
	});

	it.each([
		['Today is Friday, 21 August 2026.', 'your briefing for Friday, 21 August 2026. '],
		["Today's date is August 21, 2026.", 'your briefing for August 21, 2026. '],
		['Today is 2026-08-21.', 'your briefing for 2026-08-21. '],
		['Today is Invalid DateTime.', 'your briefing for today. '],
		['The digest of 2026-08-21 follows.', 'your briefing for today. '],
	])('state the date that the text gives: "%s"', async (instruction, welcome) => {
		const text = await textOf(`${instruction} Write a spoken script:\n\n${headlines.join('\n')}`);
		expect(text).toContain(welcome);
	});

	it('state the date that a Chinese text gives', async () => {
		const text = await textOf(`今天是2026年8月21日，星期五。请用中文写口播稿：\n\n${numberedDigest}`);
		expect(text).toMatch(/^大家好，今天是2026年8月21日，星期五，欢迎收听新闻简报。首先来看，/);
	});
});

describe('JSON answer of POST /v1/chat/completions', () => {
	const schema = {
		type: 'object',
		properties: {
			city: { type: 'string' },
			days: { type: 'integer', minimum: 1, maximum: 7 },
			unit: { enum: ['celsius', 'fahrenheit'] },
			sights: { type: 'array', items: { type: 'string' } },
			rainy: { type: 'boolean' },
		},
		required: ['city'],
	};

	it('follows a schema', async () => {
		const format = { type: 'json_schema', json_schema: { name: 'trip', schema } };
		const value = await jsonOf('Plan 3 days in Lisbon, fahrenheit please.', { response_format: format });
		expect(value).toEqual({
			city: 'Lisbon',
			days: 3,
			unit: 'fahrenheit',
			sights: expect.arrayContaining([expect.any(String)]),
			rainy: true,
		});
	});

	it('is any object in JSON mode', async () => {
		expect(await jsonOf('Tell me about owls', { response_format: { type: 'json_object' } })).toMatchObject({
			summary: 'Tell me about owls',
		});
	});

	it('follows an example or field names in the text', async () => {
		expect(await jsonOf('Return JSON like {"title": "text", "count": 1}. Three facts about 7 owls')).toEqual({
			title: expect.stringContaining('owls'),
			count: 7,
		});
		expect(Object.keys(await jsonOf('Answer in JSON with the fields "mood" and "reason": I won!'))).toEqual([
			'mood',
			'reason',
		]);
	});

	it('is omitted if the text refuses it', async () => {
		expect(await textOf('Do not answer in JSON. What is an owl?')).not.toMatch(/^\{/);
	});
});
