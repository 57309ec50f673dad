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
      // Beyond the eighth, colours and shapes come again: those lines are dotted.
      borderDash: series.bound ? [6, 4] : at >= colours.length ? [2, 3] : [],
    };
    return { label: series.name, data: series.values, ...(kind === 'line' ? line : { backgroundColor: colour }) };
  };

  // On a phone a long name stands in several lines.
  const inLines = (text) => (narrow ? (text.match(/.{1,17}(?=\s|$)\s?/g) ?? text) : text);

  // Room for the names below or beside the plot, so that it is not squeezed between them.
  const heightOf = ({ kind, x, series }, width) => {
    const letters = series.reduce((sum, { name }) => sum + name.length + 6, 0);
    const legend = 24 * Math.ceil((letters * 7) / width);
    return legend + (kind === 'bar' ? 60 + x.length * (12 + 10 * series.length) : 270);
  };

  const drawn = charts.map((chart, at) => {
    const canvas = document.getElementById(`chart-${at}`);
    canvas.parentElement.style.height = `${heightOf(chart, canvas.parentElement.clientWidth)}px`;
    const bars = chart.kind === 'bar';
    const axis = (text) => ({ title: { display: text !== '', text } });
    const names = { ...axis(chart.xLabel), ticks: { autoSkip: !bars } };
    if (bars) names.ticks.callback = (_, index) => inLines(String(chart.x[index]));
    const values = { ...axis(chart.yLabel), beginAtZero: true };
    return new Chart(canvas, {
      type: chart.kind,
      data: { labels: chart.x.map(String), datasets: chart.series.map(dataset(chart.kind)) },
      options: {
        responsive: true,
        maintainAspectRatio: false,
        // Bars lie, so that their names can be read.
        indexAxis: bars ? 'y' : 'x',
        interaction: { mode: 'index', intersect: false, axis: bars ? 'y' : 'x' },
        plugins: { legend: { position: 'bottom', labels: { usePointStyle: !bars, padding: 12 } } },
        scales: bars ? { y: names, x: values } : { x: names, y: values },
      },
    });
  });

  // A canvas keeps its pixels when the page is laid out for paper, so it is drawn again for that width.
  // What is higher than a sheet would be cut, or leave an empty one before it.
  const paper = 640;
  const sheet = 720;
  const resize = (width) =>
    drawn.forEach((chart, at) => {
      const box = chart.canvas.parentElement;
      const wanted = heightOf(charts[at], width ?? box.clientWidth);
      const height = width === undefined ? wanted : Math.min(wanted, sheet);
      box.style.height = `${height}px`;
      if (width === undefined) chart.resize();
      else chart.resize(width, height);
    });
  window.addEventListener('beforeprint', () => resize(paper));
  window.addEventListener('afterprint', () => resize());
})();
