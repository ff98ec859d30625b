import { startLocalServer } from '../../localServer';
import { ANSWERS, send } from './answers';

/** Runs a hostile gateway in a separate process. The first part of a path names the answer to everything below it. */
void startLocalServer(({ url = '' }, response) => {
	const [, name = ''] = url.split('/');
	const answer = ANSWERS[decodeURIComponent(name)];
	return answer ? send(answer, response) : response.writeHead(404).end();
}).then(({ url }) => process.stdout.write(`${url}\n`));
