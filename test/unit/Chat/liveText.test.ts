import { LiveText } from '../../../nodes/Chat/liveText';
import { Redactor } from '../../../nodes/shared/answer/redactor';

it.each([
	['to the caller, whom n8n tells of a failure', 'chat', ['begin', 'passed on', 'item', true, false]],
	['to nobody if the node is a tool', 'chatTool', [false, false]],
])('An answer is shown as it arrives %s', (_what, type, expected) => {
	const seen: unknown[] = [];
	const sendChunk = (kind: string) => void seen.push(kind);
	const context = { isStreaming: () => true, continueOnFail: () => false, sendChunk };
	const live = new LiveText({ node: { type }, redactor: new Redactor([]), context } as never, true);
	live.begin();
	live.text('Once', () => void seen.push('passed on'));
	seen.push(live.hasShown);
	live.next();
	seen.push(live.hasShown);
	live.failed({ message: 'No.', description: 'Try again.' } as never);
	expect(seen).toEqual(expected);
});
