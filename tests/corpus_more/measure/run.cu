// Launches the cases of a plan and writes what they leave behind; links with the generated units.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include <cuda_runtime.h>

static std::map<std::string, const void *> &known()
{
    static std::map<std::string, const void *> table;
    return table;
}
void corpus_register(const char *key, const void *address) { known()[key] = address; }

static void check(cudaError_t e, const std::string &what)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what.c_str(), cudaGetErrorString(e));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    std::ifstream plan(std::string(argv[1]) + "/plan.txt"), file(std::string(argv[1]) + "/data.bin", std::ios::binary);
    std::string data((std::istreambuf_iterator<char>(file)), {}), line, name, key;
    struct Arg { void *device; size_t size; bool out; std::vector<char> bytes; };
    std::vector<Arg> args;
    dim3 grid, block;
    size_t shared = 0;
    while (std::getline(plan, line)) {
        std::istringstream in(line);
        std::string word;
        in >> word;
        if (word == "case") {
            in >> name >> key >> grid.x >> grid.y >> grid.z >> block.x >> block.y >> block.z >> shared;
            for (char &c : key) if (c == '~') c = ' ';
            args.clear();
        } else if (word == "sym") {
            std::string symbol; size_t at, size;
            in >> symbol >> at >> size;
            check(cudaMemcpyToSymbol(known().at(symbol), data.data() + at, size), name);
        } else if (word == "end") {
            std::vector<void *> pointers;
            for (Arg &a : args) pointers.push_back(a.device ? (void *)&a.device : (void *)a.bytes.data());
            const void *kernel = known().at(key);
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared), name);
            check(cudaLaunchKernel(kernel, grid, block, pointers.data(), shared, 0), name);
            check(cudaDeviceSynchronize(), name);
            if (argc > 2) {
                FILE *f = fopen((std::string(argv[2]) + "/" + name + ".bin").c_str(), "wb");
                for (Arg &a : args) if (a.out) {
                    std::vector<char> host(a.size);
                    check(cudaMemcpy(host.data(), a.device, a.size, cudaMemcpyDeviceToHost), name);
                    fwrite(host.data(), 1, a.size, f);
                }
                fclose(f);
            }
            for (Arg &a : args) if (a.device) cudaFree(a.device);
        } else {
            size_t at, size;
            in >> at >> size;
            Arg a{nullptr, size, word == "out", {}};
            if (word == "val") a.bytes.assign(data.begin() + at, data.begin() + at + size);
            else {
                check(cudaMalloc(&a.device, size), name);
                check(cudaMemcpy(a.device, data.data() + at, size, cudaMemcpyHostToDevice), name);
            }
            args.push_back(a);
        }
    }
}
