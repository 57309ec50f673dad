// The three lines to try after `npm start`, for the built-in demo upstream.

/**
 * @typedef {object} DemoLine
 * @property {string} shows what the answer's headers show
 * @property {string} curl
 */

/**
 * One request as a curl command that shows the cache's headers.
 * @param {string} baseUrl
 * @param {string} text
 */
function curl(baseUrl, text) {
  const body = JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: text }] });
  return `curl -is ${baseUrl}/v1/chat/completions -H 'Authorization: Bearer demo-key' -H 'Content-Type: application/json' -d '${body}'`;
}

/**
 * A miss, the same question in other words (a semantic hit), and a near-miss that must be refused, in this order.
 * @param {string} baseUrl such as http://127.0.0.1:8080
 * @returns {DemoLine[]}
 */
export function demoLines(baseUrl) {
  return [
    { shows: 'a miss: answered by the upstream and stored', curl: curl(baseUrl, 'How do I reset my password?') },
    {
      shows: 'the same question in other words: x-cache: hit-semantic',
      curl: curl(baseUrl, 'How can I reset my password?'),
    },
    {
      shows: 'alike, but another question: refused, x-cache-reason says why',
      curl: curl(baseUrl, 'How do I reset my username?'),
    },
  ];
}
