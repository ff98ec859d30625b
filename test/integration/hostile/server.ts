import { startLocalServer } from '../../localServer';
import { ANSWERS, send } from './answers';

/** A gateway in a process of its own: the first part of the path names what it answers to everything below. */
void startLocalServer(({ url = '' }, response) => {
	const [, name = ''] = url.split('/');
	const answer = ANSWERS[decodeURIComponent(name)];
	return answer ? send(answer, response) : response.writeHead(404).end();
}).then(({ url }) => process.stdout.write(`${url}\n`));
