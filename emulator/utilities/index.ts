import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { foreignOrigin } from '../http/foreignOrigin';
import { drawPicture } from '../images/drawPicture';
import { endpoints, words } from './answers.json';
import { daysAfter, type Entry, generate, readable, type Values, valuesAt, wording } from './generate';
import { type Asked, effectsOf } from './parameters';
import { noSuchPath, Refusal } from './refusal';

const RSS = '/60s/rss';
/** What is of the day before, with status 200, until today's is published (vikiboss/60s, issues 6, 15, and 81). */
const DIGESTS = ['/60s', RSS, '/ai-news', '/today-in-history'];
const HOUR_MS = 3_600_000;

/** Returns the latest day for which an endpoint has data. */
const latestDay = (path: string, { now, newsHour }: { now: number; newsHour: number }) =>
	readable(DIGESTS.includes(path) ? now - newsHour * HOUR_MS : now).slice(0, 10);
const entries = new Map<string, Entry>([...Object.entries(endpoints), [RSS, {}]]);

/** Every endpoint of section 4.13, with a request that succeeds. */
export const utilityEndpoints = [...entries].map(([path, { example = '' }]) => ({
	path,
	example: example.startsWith('/') ? example : `${path}${example}`,
	pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

const filesPath = '/__emulator/files/utilities';
const plainText = 'text/plain; charset=UTF-8';

interface UtilityRoute {
	Querystring: Record<string, string | string[] | undefined>;
	Params: { '*': string };
}

function sendEnvelope(reply: FastifyReply, status: number, code: number, message: string, data: unknown) {
	const type = 'application/json; charset=UTF-8';
	return reply.code(status).type(type).send(JSON.stringify({ code, message, data }));
}

function sendFailure(reply: FastifyReply, encoding: string, failure: unknown): FastifyReply {
	if (failure instanceof Refusal) {
		return sendEnvelope(reply, failure.status, failure.code, failure.message, failure.data);
	}
	const message = `服务器出错了... ${failure instanceof Error ? failure.message : String(failure)}`;
	if (encoding === 'json') return sendEnvelope(reply, 500, 500, message, null);
	return reply.code(500).type(plainText).send(message);
}

/** The parameters of a request: the first value of each, or its default. */
function parametersOf({ query }: FastifyRequest<UtilityRoute>, inPath: Asked, entry: Entry): Asked {
	const sent = Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
	const asked: Asked = { ...entry.defaults, ...inPath };
	for (const [name, value] of sent) if (name && value) asked[name] = value;
	const { required = [] } = entry;
	if (required.every((name) => asked[name])) return asked;
	const message = `参数 ${required.join(', ')} 不能为空。如为 query 参数，请进行必要的 URL 编码`;
	throw new Refusal(400, 400, message);
}

/** Returns the values of the placeholders of an answer. */
function valuesOf(
	path: string,
	asked: Asked,
	more: { now: number; newsHour: number; ip: string; origin: string },
): Values {
	const current = readable(more.now);
	const today = latestDay(path, more);
	// A day that is invalid or in the future counts as today (observed).
	const isPast = !Number.isNaN(Date.parse(asked.date)) && asked.date <= today;
	const date = isPast ? asked.date : today;
	const [, month, day] = date.split('-').map(Number);
	const picture = (size: string) => `${path.slice(1).replace(/\W/g, '-')}-${date}-${size || '400x300'}.png`;
	const own = {
		...asked,
		date,
		month,
		day,
		monthDay: date.slice(5),
		tomorrow: daysAfter(date, 1),
		weekday: `星期${'日一二三四五六'[new Date(date).getUTCDay()]}`,
		// Answers date from the beginning of the day; `force-update`, with any value, refreshes them now (observed).
		refreshed: asked['force-update'] ? current : `${today} 00:00:00`,
		ip: more.ip,
		pictureUrl: (size: string) => `${more.origin}${filesPath}/${picture(size)}`,
	};
	return valuesAt(0, { ...own, ...effectsOf(path, { ...asked, date }) });
}

/** Sends an answer. If the endpoint does not offer an encoding, it uses its default (observed). */
function sendAnswer(reply: FastifyReply, own: Entry, encoding: string, values: Values): FastifyReply {
	const entry = { ...(own.like ? entries.get(own.like) : undefined), ...own };
	const templates = Object.entries(entry).filter(([name]) => name.startsWith('data'));
	const { data } = generate(Object.fromEntries(templates), values) as { data: Values };
	const offered = entry.jsonOnly ? [] : ['text', 'markdown', ...(entry.encodings ?? [])];
	const { title, body } = wording(entry, data, values);
	const picture = String(data.image ?? data.cover);
	// A QR code is an image unless another encoding is requested (observed).
	const usual = data.data_uri && encoding !== 'json' ? 'image' : 'json';
	switch (offered.includes(encoding) ? encoding : usual) {
		case 'text':
			return reply.type(plainText).send(entry.text ? body : `${title}\n\n${body}`);
		case 'markdown':
			return reply.type(plainText).send(`# ${title}\n\n${body}`);
		case 'html':
			return reply
				.type('text/html; charset=UTF-8')
				.send(`<!DOCTYPE html>\n<html lang="zh-CN"><title>${title}</title><pre>${body}</pre></html>`);
		case 'image-proxy':
			return reply.type('image/png').send(drawPicture(picture));
		case 'image':
			if (data.data_uri) return reply.type('image/gif').send(Buffer.from(String(data.base64), 'base64'));
			return reply.code(302).header('location', picture).type(plainText).send(`Redirecting to ${picture}.`);
		default:
			return sendEnvelope(reply, 200, 200, '获取成功。本地模拟网关，数据仅为示例。', data);
	}
}

function feed(date: string): string {
	const published = `<pubDate>${new Date(date).toUTCString()}</pubDate>`;
	const items = words.headline.map((headline) => `<item><title>${headline}</title>${published}</item>`);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>每天 60s 读懂世界</title>${items.join('')}</channel></rss>\n`;
}

/**
 * The utility endpoints of section 4.13, which depend only on the time and the request, under their full paths, the pictures that they link to (served without a key like
 * files of another host), and the service's own responses to unknown paths and unsupported methods.
 */
export const utilitiesRoutes: FastifyPluginAsync<{ now: () => number; newsHour: number }> = async (
	app,
	options,
) => {
	app.route<UtilityRoute>({
		method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
		url: '/v2/apis/*',
		handler: async (request, reply) => {
			const { encoding } = request.query;
			const wanted = String(encoding || '');
			const { newsHour } = options;
			const now = options.now();
			const origin = foreignOrigin(request);
			const asked = `/${request.params['*']}`;
			const found = utilityEndpoints.find(({ pattern }) => pattern.test(asked));
			try {
				if (!found) throw noSuchPath(404);
				if (request.method !== 'GET') throw noSuchPath(405);
				const { path, pattern } = found;
				if (path === RSS) return reply.type('application/xml').send(feed(latestDay(RSS, { now, newsHour })));
				const entry = entries.get(path)!;
				const parameters = parametersOf(request, pattern.exec(asked)!.groups as Asked, entry);
				const values = valuesOf(path, parameters, { now, newsHour, origin, ip: request.ip });
				return sendAnswer(reply, entry, wanted, values);
			} catch (failure) {
				return sendFailure(reply, wanted || 'json', failure);
			}
		},
	});

	app.get<{ Params: { name: string } }>(`${filesPath}/:name`, async (request, reply) => {
		if (!request.params.name.endsWith('.png')) return reply.code(404).send('There is no such file.');
		return reply.type('image/png').send(drawPicture(request.params.name));
	});
};
