// Breadth-first search of a graph in compressed rows: the host launches until no thread sets the flag.
#include <cstdio>
#include <queue>
#include <vector>
#include <cuda_runtime.h>

__global__ void bfs_level(const int *row, const int *column, int *distance, bool *changed, int level, int num_nodes) {
    int v = threadIdx.x + blockIdx.x * blockDim.x;
    if (v >= num_nodes || distance[v] != level)
        return;
    for (int e = row[v]; e < row[v + 1]; e++) {
        int to = column[e];
        if (distance[to] < 0) {
            distance[to] = level + 1;
            *changed = true;
        }
    }
}

struct Graph {
    std::vector<int> row;
    std::vector<int> column;
    int num_nodes() const { return (int)row.size() - 1; }
};

// A ring with a few shortcuts that a generator of Park and Miller draws.
Graph make_graph(int n, int degree, unsigned seed) {
    std::vector<std::vector<int>> next(n);
    for (int v = 0; v < n; v++) {
        next[v].push_back((v + 1) % n);
        for (int k = 1; k < degree; k++) {
            seed = (unsigned)((unsigned long long)seed * 48271 % 2147483647);
            if (seed % 4 == 0)
                next[v].push_back(seed / 4 % n);
        }
    }
    Graph g;
    g.row.push_back(0);
    for (const auto &list : next) {
        for (int to : list)
            g.column.push_back(to);
        g.row.push_back((int)g.column.size());
    }
    return g;
}

std::vector<int> on_cpu(const Graph &g, int source) {
    std::vector<int> distance(g.num_nodes(), -1);
    std::queue<int> todo;
    distance[source] = 0;
    todo.push(source);
    while (!todo.empty()) {
        int v = todo.front();
        todo.pop();
        for (int e = g.row[v]; e < g.row[v + 1]; e++)
            if (distance[g.column[e]] < 0) {
                distance[g.column[e]] = distance[v] + 1;
                todo.push(g.column[e]);
            }
    }
    return distance;
}

int main() {
    Graph g = make_graph(400, 3, 12345);
    const int n = g.num_nodes(), source = 17;

    std::vector<int> distance(n, -1);
    distance[source] = 0;

    int *d_row, *d_column, *d_distance;
    bool *d_changed;
    cudaMalloc(&d_row, sizeof(int) * g.row.size());
    cudaMalloc(&d_column, sizeof(int) * g.column.size());
    cudaMalloc(&d_distance, sizeof(int) * n);
    cudaMalloc(&d_changed, sizeof(bool));
    cudaMemcpy(d_row, g.row.data(), sizeof(int) * g.row.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_column, &g.column[0], sizeof(int) * g.column.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_distance, distance.data(), sizeof(int) * n, cudaMemcpyHostToDevice);

    bool changed;
    int level = 0;
    do {
        changed = false;
        cudaMemcpy(d_changed, &changed, sizeof(bool), cudaMemcpyHostToDevice);
        bfs_level<<<(n + 127) / 128, 128>>>(d_row, d_column, d_distance, d_changed, level, n);
        cudaMemcpy(&changed, d_changed, sizeof(bool), cudaMemcpyDeviceToHost);
        level++;
    } while (changed);

    cudaMemcpy(distance.data(), d_distance, sizeof(int) * n, cudaMemcpyDeviceToHost);
    bool same = distance == on_cpu(g, source);
    printf("%d levels, %s\n", level, same ? "same as on the CPU" : "DIFFERENT");
    cudaFree(d_row);
    cudaFree(d_column);
    cudaFree(d_distance);
    cudaFree(d_changed);
    return same ? 0 : 1;
}
