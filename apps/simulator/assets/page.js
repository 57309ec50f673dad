// Draws the charts of a report; runs in the page, after Chart.js.
/* global Chart, document, window */
(() => {
  // Okabe and Ito: told apart by people with any colour vision; shapes tell them apart in black and white.
  const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c6d31'];
  const shapes = ['circle', 'triangle', 'rect', 'rectRot', 'star', 'crossRot', 'cross', 'rectRounded'];
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const narrow = window.matchMedia('(max-width: 40rem)').matches;
  Chart.defaults.animation = false;
  Chart.defaults.font.size = narrow ? 11 : 13;
  Chart.defaults.color = '#1b1f24';

  const dataset = (kind) => (series, at) => {
    const colour = colours[at % colours.length];
    const line = {
      borderColor: colour,
      backgroundColor: colour,
      borderWidth: 2,
      pointRadius: 4,
      pointStyle: shapes[at % shapes.length],
      borderDash: series.bound ? [6, 4] : [],
    };
    return { label: series.name, data: series.values, ...(kind === 'line' ? line : { backgroundColor: colour }) };
  };

  const drawn = charts.map((chart, at) => {
    const axis = (text) => ({ title: { display: true, text } });
    return new Chart(document.getElementById(`chart-${at}`), {
      type: chart.kind,
      data: { labels: chart.x.map(String), datasets: chart.series.map(dataset(chart.kind)) },
      options: {
        responsive: true,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        plugins: { legend: { position: 'bottom', labels: { usePointStyle: chart.kind === 'line', padding: 12 } } },
        scales: { x: axis(chart.xLabel), y: { ...axis(chart.yLabel), beginAtZero: true } },
      },
    });
  });

  // A canvas keeps its pixels when the page is laid out for paper, so it is drawn again for that width.
  window.addEventListener('beforeprint', () => drawn.forEach((chart) => chart.resize(640, 280)));
  window.addEventListener('afterprint', () => drawn.forEach((chart) => chart.resize()));
})();
