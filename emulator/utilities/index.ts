import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { foreignOrigin } from '../http/foreignOrigin';
import { boxOfficeEndpoints } from './boxOffice';
import { chartEndpoints } from './charts';
import { colorEndpoints } from './colors';
import type { Call, Endpoint } from './endpoint';
import { funEndpoints } from './fun';
import { healthAndPasswordEndpoints } from './healthAndPasswords';
import { musicChartEndpoints } from './musicCharts';
import { newsEndpoints } from './news';
import { ParameterReader } from './parameterReader';
import { drawPicture } from './pictures';
import { priceEndpoints } from './prices';
import { referenceEndpoints } from './reference';
import { noSuchPath, sendAnswer, sendFailure } from './reply';
import { reviewEndpoints } from './reviews';
import { dateOf } from './time';
import { toolEndpoints } from './tools';
import { translationEndpoints } from './translation';
import { weatherEndpoints } from './weather';

/** Options of the utility endpoints. */
export interface UtilitiesOptions {
	/** Returns the time in ms. Every response depends only on this time and on the request. */
	now: () => number;
	/**
	 * Origin of the files to which `encoding=image` redirects and of the cover images, for example
	 * `http://files.example:8080`. Default: the emulator's other loopback name, so that a client sees another origin, as with
	 * the real service.
	 */
	filesOrigin?: string;
}

/** Every endpoint of section 4.13. An endpoint is added to the list of its group, and nowhere else. */
export const utilityEndpoints: readonly Endpoint[] = [
	...newsEndpoints,
	...weatherEndpoints,
	...translationEndpoints,
	...referenceEndpoints,
	...toolEndpoints,
	...colorEndpoints,
	...healthAndPasswordEndpoints,
	...priceEndpoints,
	...chartEndpoints,
	...boxOfficeEndpoints,
	...reviewEndpoints,
	...musicChartEndpoints,
	...funEndpoints,
];

const filesPath = '/__emulator/files/utilities';
const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE'];

interface UtilityRoute {
	Querystring: Record<string, string | string[] | undefined>;
	Params: { '*': string };
}

/** The endpoint with a path, and the variable parts of the path by their names (`type` of `/tech-news/:type`). */
function endpointAt(path: string): { endpoint: Endpoint; path: Record<string, string> } | undefined {
	const parts = path.split('/');
	for (const endpoint of utilityEndpoints) {
		const names = endpoint.path.split('/');
		const fits = (name: string, index: number) =>
			name.startsWith(':') ? parts[index] !== '' : parts[index] === name;
		if (names.length !== parts.length || !names.every(fits)) continue;
		const variable = names.flatMap((name, index) =>
			name.startsWith(':') ? [[name.slice(1), parts[index]] as const] : [],
		);
		return { endpoint, path: Object.fromEntries(variable) };
	}
	return undefined;
}

function callerAddress(request: FastifyRequest): string {
	for (const name of ['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'x-real-client-ip']) {
		const first = request.headers[name]?.toString().split(',')[0]?.trim();
		if (first) return first;
	}
	return request.ip;
}

/**
 * The utility endpoints of section 4.13 under their full paths, the pictures that they link to (served without a key like
 * files of another host), and the service's own responses to unknown paths and unsupported methods.
 */
export const utilitiesRoutes: FastifyPluginAsync<UtilitiesOptions> = async (app, options) => {
	const callOf = (request: FastifyRequest<UtilityRoute>, path: Record<string, string>): Call => {
		const now = options.now();
		const origin = options.filesOrigin ?? foreignOrigin(request);
		return {
			parameters: new ParameterReader(request.query),
			path,
			now,
			today: dateOf(now),
			callerAddress: callerAddress(request),
			fileUrl: (name) => `${origin}${filesPath}/${encodeURIComponent(name)}`,
		};
	};

	app.route<UtilityRoute>({
		method: ['GET', ...otherMethods],
		url: '/v2/apis/*',
		handler: async (request, reply) => {
			const found = endpointAt(`/${request.params['*']}`);
			if (!found) return sendFailure(reply, '', noSuchPath(404));
			if (otherMethods.includes(request.method)) return sendFailure(reply, '', noSuchPath(405));
			const call = callOf(request, found.path);
			const encoding = call.parameters.text('encoding');
			try {
				return sendAnswer(reply, encoding, found.endpoint.answer(call));
			} catch (failure) {
				return sendFailure(reply, encoding, failure);
			}
		},
	});

	app.get<{ Params: { name: string } }>(`${filesPath}/:name`, async (request, reply) => {
		if (!request.params.name.endsWith('.png')) return reply.code(404).send('There is no such file.');
		return reply.type('image/png').send(drawPicture(request.params.name));
	});
};
