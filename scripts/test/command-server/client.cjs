// Stands for `pravah` where a suite runs many commands: hands its arguments and folder to the server of server.ts, which answers with what the
// command printed and its exit code. It loads nothing, so that it starts in the time that Node itself takes.
const { connect } = require('node:net');

const socket = connect(process.env.PRAVAH_COMMAND_SOCKET);
let answer = '';
socket.setEncoding('utf8').on('data', (text) => {
  answer += text;
});
socket.on('error', (error) => {
  process.stderr.write(`No answer from the command server: ${error.message}\n`);
  process.exitCode = 70;
});
socket.on('end', () => {
  const { code, stdout, stderr } = JSON.parse(answer);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
});
socket.write(`${JSON.stringify({ words: process.argv.slice(2), folder: process.cwd() })}\n`);
