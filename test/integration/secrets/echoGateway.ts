import type { IncomingMessage, ServerResponse } from 'node:http';
import { startEmulator, type Emulator } from '../../../emulator';
import { startLocalServer } from '../../localServer';
import { KEY, SPELLINGS } from '../../unit/shared/secrets/spellings';

/** The ways in which a gateway repeats the key. */
export const ECHOES = [
	'in every value',
	'in files',
	'as text',
	'as a web page',
	'as broken JSON',
	'in an error inside of 200',
	'in an error 400',
	'in an error 500 of a proxy',
	'in a redirect to itself',
	'in a redirect to another host',
	'in an error of a stream',
] as const;
export type Echo = (typeof ECHOES)[number];

/** A gateway that works like the emulator but repeats the key, in every spelling. */
export interface EchoGateway {
	url: string;
	emulator: Emulator;
	echo: Echo;
	/** The path and query of every request, to any host, whose address contained the key. */
	asked: string[];
	close(): Promise<void>;
}

const spelled = Object.values(SPELLINGS).map((spell) => spell(KEY));
const all = spelled.join(' ');
const inAddress = encodeURIComponent(KEY);
let used = 0;
/** Returns the key, each time in another spelling. */
const next = () => spelled[used++ % spelled.length];
/** Returns the key in spellings that a header can contain. */
const inHeader = () => `${KEY} ${inAddress} ${Buffer.from(KEY).toString('base64')}`;

/** The names of fields whose values a gateway can choose freely. */
const FREE_FIELDS =
	/^(id|content|text|title|name|message|msg|description|model|prompt|revised_prompt|tags|audio_url|image_url|url|label|arguments|fail_reason|thinking)$/;

export async function startEchoGateway(): Promise<EchoGateway> {
	const emulator = await startEmulator({ apiKey: KEY });
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
	const server = await startLocalServer(answer);
	const { url } = server;
	const otherUrl = url.replace('127.0.0.1', 'localhost');
	const gateway: EchoGateway = {
		url,
		emulator,
		echo: 'as text',
		asked: [],
		async close() {
			await server.close();
			await emulator.close();
		},
	};
	return gateway;

	async function answer(request: IncomingMessage, response: ServerResponse, sent: Buffer): Promise<void> {
		const path = request.url ?? '/';
		if (path.toLowerCase().includes('sk-') || path.includes('%73')) gateway.asked.push(path);
		const headers = {
			'x-request-id': `id ${inHeader()}`,
			'x-oneapi-request-id': `id ${inHeader()}`,
			'content-disposition': `attachment; filename="${KEY}.png"`,
			'x-echo': inHeader(),
		};
		const send = (status: number, type: string, body: string | Buffer, more = {}) =>
			response.writeHead(status, { ...headers, 'content-type': type, ...more }).end(body);
		const error = {
			error: { message: `Bad key ${all}`, type: next(), code: next() },
			[next()]: 1,
		};
		const inError = JSON.stringify(error);
		const whole: Partial<Record<Echo, Parameters<typeof send>>> = {
			'as text': [200, 'text/plain', `Your key is ${all}`],
			'as a web page': [200, `text/html; key=${inAddress}`, `<html><p>${spelled.join('<br>')}</p></html>`],
			'as broken JSON': [200, 'application/json', `{"key": "${all}"`],
			'in an error inside of 200': [200, 'application/json', inError],
			'in an error 400': [400, 'application/json', inError],
			'in an error 500 of a proxy': [500, `text/plain; ${KEY}`, 'x'.repeat(470) + all],
			'in a redirect to itself': [302, 'text/plain', KEY, { location: `${url}/v1/models?key=${inAddress}` }],
			'in a redirect to another host': [307, 'text/plain', KEY, { location: `${otherUrl}/${inAddress}` }],
			'in an error of a stream': [200, 'text/event-stream', `event: error\ndata: ${inError}\n\n`],
		};
		const answered = whole[gateway.echo];
		if (answered) return void send(...answered);
		const real = await fetch(emulator.url + path, {
			method: request.method,
			headers: forwarded(request),
			body: sent.length > 0 ? sent : undefined,
		});
		const type = real.headers.get('content-type') ?? '';
		const body = Buffer.from(await real.arrayBuffer());
		if (gateway.echo === 'in files' && /^(image|audio|application\/octet)/.test(type)) {
			return void send(real.status, type, Buffer.concat([body, Buffer.from(all)]));
		}
		const text = body.toString().replaceAll(emulator.url, url);
		if (/event-stream/.test(type)) {
			const events = gateway.echo === 'in every value' ? echoingEvents(text) : text;
			return void send(real.status, type, events);
		}
		if (!/json/.test(type)) return void send(real.status, type, type.startsWith('text/') ? text : body);
		const json: unknown = JSON.parse(text);
		send(real.status, type, JSON.stringify(gateway.echo === 'in every value' ? echoing(json) : json));
	}
}

function forwarded({ headers }: IncomingMessage): Record<string, string> {
	const names = ['authorization', 'content-type', 'accept', 'x-api-key', 'msgapi-version'];
	return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

/** Adds the key to the texts that a gateway can choose, and in additional fields of each object. */
function echoing(value: unknown, name = ''): unknown {
	if (typeof value === 'string') return FREE_FIELDS.test(name) ? withKey(value) : value;
	if (Array.isArray(value)) return value.map((entry: unknown) => echoing(entry, name));
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).map(([field, entry]) => [field, echoing(entry, field)]);
	return { ...Object.fromEntries(fields), echo: spelled, [`name ${next()}`]: { deep: [next()] } };
}

function withKey(text: string): string {
	if (/^https?:/.test(text)) return `${text}?key=${inAddress}`;
	// The arguments of tool calls are JSON within JSON.
	return text.startsWith('{') ? text.replace('{', `{${JSON.stringify(next())}:1,`) : `${text} ${next()}`;
}

/** Replaces every text in the events of a stream with the key, cut into two deltas. */
function echoingEvents(stream: string): string {
	let cut = 0;
	return stream.replace(/"(content|text)":"([^"]*)"/g, (_field, name: string) => {
		// Of two deltas, the first one has the beginning of the key, and the second one the end.
		const at = (cut >> 1) % KEY.length;
		const part = cut++ % 2 === 0 ? ` ${KEY.slice(0, at)}` : `${KEY.slice(at)} `;
		return `"${name}":${JSON.stringify(part)}`;
	});
}
